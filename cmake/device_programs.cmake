# CUDA programs of tests/cudart/programs that check themselves and must come out alike functionally and, timed, under
# every mechanism. Compiled by `warpfork cc` itself into ${build}/tests/programs, anew when a source, a header beside it
# or one of the toolchain changes (workload_toolchain, of workloads.cmake). A name may end in the architecture that it is
# compiled for. Whose warps wait for each other in loops runs under the mechanisms that let each go its own way.
set(program_dir ${CMAKE_BINARY_DIR}/tests/programs)
file(GLOB program_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cudart/programs/*.h)
foreach(program atomic_objects barriers barriers.sm_80 barriers.sm_90 block_barriers block_barriers.sm_80 cooperative_groups
                early_returns group_updates large_tiles large_tiles.sm_80 matrices pipelines pipelines.sm_80 recursion
                shared_broadcast short_launches surfaces texture_references textures)
  string(REGEX MATCH "^([a-z_]+)[.]?(sm_[0-9]+)?$" matched ${program})
  set(source ${CMAKE_SOURCE_DIR}/tests/cudart/programs/${CMAKE_MATCH_1}.cu)
  set(architecture)
  if(CMAKE_MATCH_2)
    set(architecture -arch=${CMAKE_MATCH_2})
  endif()
  add_custom_command(
    OUTPUT ${program_dir}/${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${program_dir}
    COMMAND $<TARGET_FILE:warpfork> cc ${source} ${architecture} -o ${program_dir}/${program}
    DEPENDS ${source} ${program_headers} ${workload_toolchain}
    COMMENT "Compiling test program ${program}"
    VERBATIM)
  list(APPEND program_outputs ${program_dir}/${program})
  add_test(NAME program.${program} COMMAND warpfork run --functional-only ${program_dir}/${program})
  set(mechanisms)
  if(program MATCHES "barriers|large_tiles|pipelines")
    set(mechanisms --divergence pdom,dual-path,warp-subdivision,multi-path,multi-path-or,thread-frontier,convergence-barrier)
  elseif(program STREQUAL "group_updates") # under warp-subdivision threads do not meet behind branches within branches
    set(mechanisms --divergence pdom,dual-path,multi-path,multi-path-or,thread-frontier,convergence-barrier,tbc,capri)
  endif()
  add_test(NAME program.${program}.mechanisms COMMAND warpfork compare ${mechanisms} ${program_dir}/${program})
endforeach()
add_custom_target(device_programs ALL DEPENDS ${program_outputs})
add_dependencies(device_programs warpfork)
