# CUDA programs of tests/cudart/programs that check themselves and must come out alike functionally and, timed, under
# every mechanism. Compiled by `warpfork cc` itself into ${build}/tests/programs, anew when a source, a header beside it
# or one of the toolchain changes (workload_toolchain, of workloads.cmake).
set(program_dir ${CMAKE_BINARY_DIR}/tests/programs)
file(GLOB program_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cudart/programs/*.h)
foreach(program cooperative_groups early_returns matrices recursion shared_broadcast short_launches surfaces
                texture_references textures)
  set(source ${CMAKE_SOURCE_DIR}/tests/cudart/programs/${program}.cu)
  add_custom_command(
    OUTPUT ${program_dir}/${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${program_dir}
    COMMAND $<TARGET_FILE:warpfork> cc ${source} -o ${program_dir}/${program}
    DEPENDS ${source} ${program_headers} ${workload_toolchain}
    COMMENT "Compiling test program ${program}"
    VERBATIM)
  list(APPEND program_outputs ${program_dir}/${program})
  add_test(NAME program.${program} COMMAND warpfork run --functional-only ${program_dir}/${program})
  add_test(NAME program.${program}.mechanisms COMMAND warpfork compare ${program_dir}/${program})
endforeach()
add_custom_target(device_programs ALL DEPENDS ${program_outputs})
add_dependencies(device_programs warpfork)
