# The simulated GTX 480 against the reference's figures: outputs, instruction counts and active-lane histograms equal,
# cycles within 20 % on every calibration kernel and within 10 % on average (bench/calibration/README.md).
add_test(NAME calibration.gtx480
  COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/calibrate.py $<TARGET_FILE:warpfork> --machine gtx480 --check)
