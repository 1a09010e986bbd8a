# The SPMD programs of workloads/spmd: static executables to be recorded as x86-64 instructions, each for SSE2 and,
# named NAME-avx2, for AVX2. The target `spmd` builds them into ${build}/workloads/spmd; it is part of `tests`, not of
# `all`. CTest runs each with several numbers of threads. Include this file after the target `tests` is defined.
#
# The flags are fixed, whatever the preset, so that recordings are alike; symbols and line tables are what regions are
# named by. Static, because the parallel regions of Debian's shared libgomp and libc cannot be found by name.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # regions are named by libgomp's conventions
  return()
endif()

add_custom_target(spmd)
add_dependencies(tests spmd)
set(spmd_pthread_programs barnes blackscholes fft fluidanimate fmm radix streamcluster volrend)
set(spmd_openmp_programs backprop bfs hotspot kmeans lavamd pathfinder srad)

# warpfork_spmd(NAME VARIANT flag…): the program NAME, compiled with `flag…`, becomes spmd/VARIANT.
function(warpfork_spmd name variant)
  set(threading -pthread)
  if(name IN_LIST spmd_openmp_programs)
    set(threading -fopenmp)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/spmd/${name}/*.cpp)
  add_executable(spmd_${variant} EXCLUDE_FROM_ALL ${sources})
  set_target_properties(spmd_${variant} PROPERTIES OUTPUT_NAME ${variant} POSITION_INDEPENDENT_CODE OFF
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/workloads/spmd)
  target_include_directories(spmd_${variant} PRIVATE ${CMAKE_SOURCE_DIR}/workloads/spmd)
  target_compile_options(spmd_${variant} PRIVATE ${warnings} -O2 -g -fno-pie -fcf-protection=none ${threading} ${ARGN})
  target_link_options(spmd_${variant} PRIVATE -static -no-pie ${threading}
    -Wl,--no-warnings) # libgomp calls dlopen, but only to look for accelerators
  add_dependencies(spmd spmd_${variant})
  add_test(NAME spmd.${variant}
           COMMAND ${CMAKE_SOURCE_DIR}/workloads/spmd/check.sh $<TARGET_FILE:spmd_${variant}>)
endfunction()

foreach(name ${spmd_pthread_programs} ${spmd_openmp_programs})
  warpfork_spmd(${name} ${name})
  warpfork_spmd(${name} ${name}-avx2 -mavx2 -mfma -ftree-vectorize)
endforeach()
