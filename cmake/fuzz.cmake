# libFuzzer targets, of the preset `fuzz` only: everything in them is built with coverage and sanitizers.
#   WARPFORK_PRESET=fuzz ./dev build fuzz
add_custom_target(fuzz)

# warpfork_fuzz(NAME libraries…): tests/fuzz/NAME_fuzz.cpp -> program NAME_fuzz
function(warpfork_fuzz name)
  add_executable(${name}_fuzz EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cpp)
  target_include_directories(${name}_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN} -fsanitize=fuzzer)
  add_dependencies(fuzz ${name}_fuzz)
endfunction()

warpfork_fuzz(ptx warpfork_ptx)
warpfork_fuzz(launch warpfork_config)
warpfork_fuzz(saved_launch warpfork_checkpoint)
warpfork_fuzz(fatbin warpfork_base ${ZSTD_LIBRARY} ${LZ4_LIBRARY})
target_sources(fatbin_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/src/cuda/image/fat_binary.cpp)
warpfork_fuzz(x86 warpfork_x86)
target_sources(x86_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/x86/decoder_invariants.cpp)
warpfork_fuzz(recording warpfork_x86)
