# The simulated machines against the reference's figures: outputs, instruction counts and active-lane histograms equal,
# cycles within 20 % on every calibration kernel and within 10 % on average (bench/calibration/README.md). With allocated
# registers, as programs are run by default, instructions are not the reference's; the rest is.
foreach(machine gtx480 tesla30_uniform_alu)
  add_test(NAME calibration.${machine}
    COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/calibrate.py $<TARGET_FILE:warpfork> --machine ${machine} --check)
endforeach()
add_test(NAME calibration.gtx480_allocated
  COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/calibrate.py $<TARGET_FILE:warpfork> --machine gtx480 --allocated --check)

# The cost of a simulated warp instruction does not rise unsaid (CONTRIBUTING.md, Speed).
add_test(NAME speed.host_instructions
  COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/host_instructions.py ${CMAKE_BINARY_DIR} --check)
set_tests_properties(speed.host_instructions PROPERTIES SKIP_RETURN_CODE 77)

# The checks of the sources that `./dev lint` makes.
foreach(script bench check_class_sizes host_instructions mutation_check nightly setup)
  add_test(NAME scripts.${script} COMMAND ${CMAKE_SOURCE_DIR}/tests/scripts/${script}_test.py)
endforeach()

add_test(NAME scripts.install COMMAND ${CMAKE_SOURCE_DIR}/tests/scripts/install_test.py ${CMAKE_BINARY_DIR})
# Plans, points and the database of results as a user meets them, killed in mid-run included.
add_test(NAME sweep
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/sweep/sweep_test.py $<TARGET_FILE:warpfork>)
# The same on a Slurm of three nodes, of which one is killed; where there can be none the test says why.
add_test(NAME sweep.slurm
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/sweep/slurm_test.py $<TARGET_FILE:warpfork>)
set_tests_properties(sweep.slurm PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)

add_test(NAME sweep.experiment
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/sweep/experiment_test.py $<TARGET_FILE:warpfork>)

# The published schemas obey their rule for versions, and describe all that commands write.
add_test(NAME schemas
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/schemas/schemas_test.py $<TARGET_FILE:warpfork>)

# Pages in a real browser (tests/browser), one test a spec.
foreach(spec harness report step)
  add_test(NAME browser.${spec}
    COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/browser/run.py $<TARGET_FILE:warpfork> ${CMAKE_BINARY_DIR}/browser ${spec})
  set_tests_properties(browser.${spec} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK browser)
endforeach()

# CUDA programs with faults of memory, and one without.
add_test(NAME memcheck
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/memcheck_test.py $<TARGET_FILE:warpfork>)

# A launch of a CUDA program, saved and run alone.
add_test(NAME saved_launch
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/saved_launch_test.py $<TARGET_FILE:warpfork>)

# A CUDA program whose blocks wait for one another.
add_test(NAME cooperative_launch
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/cooperative_test.py $<TARGET_FILE:warpfork>)

# A CUDA program with groups of different sizes in a warp.
add_test(NAME partitions
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/partitions_test.py $<TARGET_FILE:warpfork>)

# A CUDA program for sm_80 that copies ahead and waits at barriers in memory, compiled by nvcc.
add_test(NAME asynchronous_copies
  COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/asynchronous_test.py $<TARGET_FILE:warpfork>)

# A C program with OpenMP's directives and one with OpenACC's, compiled by GCC, where it compiles for PTX.
foreach(directives OpenMp OpenAcc)
  add_test(NAME offloading.${directives}
    COMMAND python3 ${CMAKE_SOURCE_DIR}/tests/checks/offloading_test.py $<TARGET_FILE:warpfork> ${directives})
endforeach()

# What README.md shows is what its commands print.
add_test(NAME readme COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_readme.py $<TARGET_FILE:warpfork>)
set_tests_properties(readme PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME cli.unknown_command COMMAND warpfork rnu)
set_tests_properties(cli.unknown_command PROPERTIES PASS_REGULAR_EXPRESSION "no command 'rnu'.*did you mean run")
add_test(NAME cli.full_disk COMMAND sh -c "\"$1\" machines >/dev/full" sh $<TARGET_FILE:warpfork>)
set_tests_properties(cli.full_disk PROPERTIES PASS_REGULAR_EXPRESSION "standard output cannot be written")

# The tests of the rooms have labels of their own (rooms.cmake). The others run whole programs; only two are quick.
get_property(programs DIRECTORY PROPERTY TESTS)
set_tests_properties(${programs} PROPERTIES LABELS slow)
set_tests_properties(cli.unknown_command cli.full_disk PROPERTIES LABELS quick)
