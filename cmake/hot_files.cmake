# The lane handlers (src/simt/lanes) are compiled twice: as part of the room for every x86-64 processor, and once more
# for AVX2 with FMA and BMI into a namespace of their own. The decoder takes what the host can run: AVX2 on all since 2013, so
# that the others are optimised less, for a shorter build. Without vector code the handlers are ten times slower, which
# is why the build type does not matter here.
file(GLOB lane_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/simt/lanes/*.cpp)
set_source_files_properties(${lane_files} PROPERTIES SKIP_PRECOMPILE_HEADERS TRUE # their options are others
  COMPILE_OPTIONS
  "$<IF:$<STREQUAL:$<TARGET_PROPERTY:NAME>,warpfork_lanes_avx2>,-O3,-O1>;-fno-math-errno;-fno-trapping-math")
add_library(warpfork_lanes_avx2 OBJECT ${lane_files})
target_compile_options(warpfork_lanes_avx2 PRIVATE -mavx2 -mfma -mbmi -mbmi2)
target_compile_definitions(warpfork_lanes_avx2 PRIVATE WARPFORK_LANES=lanes_avx2)
target_link_libraries(warpfork_lanes_avx2 PRIVATE warpfork_flags fmt::fmt)
target_sources(warpfork_simt PRIVATE $<TARGET_OBJECTS:warpfork_lanes_avx2>)
