# The speed of the simulator itself: not in the default build, `./dev bench` builds the target `bench`.
find_package(benchmark REQUIRED)
add_executable(memory_bench EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/memory_bench.cpp)
target_link_libraries(memory_bench PRIVATE warpfork_memory benchmark::benchmark)
add_executable(gpu_bench EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/gpu_bench.cpp)
target_link_libraries(gpu_bench PRIVATE warpfork_gpu warpfork_config benchmark::benchmark)
add_executable(lower_bench EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/bench/lower_bench.cpp)
target_link_libraries(lower_bench PRIVATE warpfork_lower benchmark::benchmark)
add_custom_target(bench DEPENDS simt_bench lower_bench memory_bench gpu_bench)
