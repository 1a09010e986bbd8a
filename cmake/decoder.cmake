# The program that the decoder's tests read whole and record. Its flags are fixed, whatever the preset.
find_program(GCC gcc REQUIRED)
set(decoder_program ${CMAKE_BINARY_DIR}/tests/x86/decoder_program)
add_custom_command(
  OUTPUT ${decoder_program}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/tests/x86
  COMMAND ${GCC} -static -no-pie -fcf-protection=none -mno-red-zone -O2 -mavx2 -mfma -ftree-vectorize -fopenmp -Wall ${stop_at_warnings}
          -Wl,--no-warnings # libgomp calls dlopen, but only to look for accelerators
          ${CMAKE_SOURCE_DIR}/tests/unit/x86/decoder_program.c -o ${decoder_program} -lm
  DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/x86/decoder_program.c
  VERBATIM)
add_custom_target(test_decoder_program DEPENDS ${decoder_program})
add_dependencies(test_x86 test_decoder_program)
target_compile_definitions(test_x86 PRIVATE TEST_DECODER_PROGRAM="${decoder_program}")

add_test(NAME cpu.dump COMMAND warpfork cpu dump ${decoder_program} --symbol by_value)
set_tests_properties(cpu.dump PROPERTIES PASS_REGULAR_EXPRESSION "by_value +8b 07 +mov eax, \\[rdi\\]\n +load4 rax < rdi")
add_test(NAME cpu.dump.nearest_name COMMAND warpfork cpu dump ${decoder_program} --symbol by_valeu)
set_tests_properties(cpu.dump.nearest_name PROPERTIES PASS_REGULAR_EXPRESSION "no function 'by_valeu'\n  near names: by_value")
