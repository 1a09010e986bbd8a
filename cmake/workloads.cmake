# The workloads are CUDA programs, compiled by `warpfork cc` itself into ${build}/workloads, with their inputs in
# ${build}/workloads/data. Include this file after the target `warpfork` is defined; WORKLOAD_RUNTIMES names the
# targets of the runtime libraries that programs link with, WORKLOAD_TOOLCHAIN the header files that `cc` adds.
#
# A workload is compiled anew when its sources or the toolchain's headers change, not whenever warpfork is linked.
set(workload_dir ${CMAKE_BINARY_DIR}/workloads)
set(workload_outputs)

foreach(workload backprop bfs dna hotspot lud mandelbrot nw raytrace)
  set(source ${CMAKE_SOURCE_DIR}/workloads/${workload}/${workload}.cu)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/${workload}/*.h ${CMAKE_SOURCE_DIR}/workloads/common/*.h)
  add_custom_command(
    OUTPUT ${workload_dir}/${workload}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${workload_dir}
    COMMAND $<TARGET_FILE:warpfork> cc ${source} -O2 -o ${workload_dir}/${workload}
    DEPENDS ${source} ${headers} ${WORKLOAD_TOOLCHAIN}
    COMMENT "Compiling workload ${workload}"
    VERBATIM)
  list(APPEND workload_outputs ${workload_dir}/${workload})

  file(GLOB inputs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/${workload}/data/*)
  foreach(input ${inputs})
    get_filename_component(name ${input} NAME)
    add_custom_command(
      OUTPUT ${workload_dir}/data/${name}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${workload_dir}/data
      COMMAND ${CMAKE_COMMAND} -E copy ${input} ${workload_dir}/data/${name}
      DEPENDS ${input}
      VERBATIM)
    list(APPEND workload_outputs ${workload_dir}/data/${name})
  endforeach()
endforeach()

add_custom_target(workloads ALL DEPENDS ${workload_outputs})
add_dependencies(workloads warpfork ${WORKLOAD_RUNTIMES})
