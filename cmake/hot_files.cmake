# The lane handlers (src/simt/lanes) are compiled three times: as part of the room for every x86-64 processor, for AVX2 with
# FMA and BMI, and for AVX-512, these two into namespaces of their own. The decoder takes the best that the host can run:
# AVX2 on all since 2013, so that the plain ones are optimised less, and families of which programs execute little or that work
# lane by lane have none for AVX-512 (src/simt/instruction_set.cpp), for a shorter build. Without vector code the handlers
# are ten times slower, which is why the build type does not matter here.
file(GLOB lane_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/simt/lanes/*.cpp)
set_source_files_properties(${lane_files} PROPERTIES SKIP_PRECOMPILE_HEADERS TRUE # their options are others
  COMPILE_OPTIONS
  "$<IF:$<STREQUAL:$<TARGET_PROPERTY:NAME>,warpfork_simt>,-O1,-O3>;-fno-math-errno;-fno-trapping-math")
set(avx2_options -mavx2 -mfma -mbmi -mbmi2)
set(avx512_options ${avx2_options} -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=512)
set(avx2_files ${lane_files})
set(avx512_files ${lane_files})
list(FILTER avx512_files EXCLUDE REGEX "/(atomic|bits|carry|collective|half|matrix|pack|video)\\.cpp$")
foreach(build avx2 avx512)
  add_library(warpfork_lanes_${build} OBJECT ${${build}_files})
  target_compile_options(warpfork_lanes_${build} PRIVATE ${${build}_options})
  target_compile_definitions(warpfork_lanes_${build} PRIVATE WARPFORK_LANES=lanes_${build})
  target_link_libraries(warpfork_lanes_${build} PRIVATE warpfork_flags fmt::fmt)
  list(APPEND lane_objects $<TARGET_OBJECTS:warpfork_lanes_${build}>)
endforeach()
target_sources(warpfork_simt PRIVATE ${lane_objects})
