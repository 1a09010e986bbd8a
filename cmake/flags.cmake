# Floating-point results must not depend on what the host compiler likes: no contraction, no reordering.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the rooms also go into libcudart.so

# What newer compilers than those that are tried (README, "Where it was tried") warn of stops nobody.
set(newest_tried_GNU 14)
set(newest_tried_Clang 19)
string(REGEX MATCH "^[0-9]+" compiler_release "${CMAKE_CXX_COMPILER_VERSION}")
set(warnings -Wall -Wextra)
set(stop_at_warnings)
if(compiler_release LESS_EQUAL "${newest_tried_${CMAKE_CXX_COMPILER_ID}}")
  set(stop_at_warnings -Werror)
endif()
list(APPEND warnings ${stop_at_warnings})

add_library(warpfork_flags INTERFACE)
set(own_flags ${warnings} -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> # gcc 12 sees ghosts in std::variant below -O2
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= # tests name their places alike in every clone: ccache finds them
  -fno-semantic-interposition) # nobody replaces our functions: they may be inlined in spite of -fPIC
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND own_flags -march=x86-64-v2) # masks are counted by popcnt, in every CPU since 2009
endif()
# Who uses the installed libraries has flags of their own.
target_compile_options(warpfork_flags INTERFACE $<BUILD_INTERFACE:${own_flags}>)
target_compile_features(warpfork_flags INTERFACE cxx_std_20)
target_include_directories(warpfork_flags INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/warpfork>)

# For releases, as such builds take longer: `./dev build --profiled` (docs/performance.md). What the rooms of the simulation's
# loop, those that are not COLD, are compiled and linked with.
option(WARPFORK_LTO "optimise the rooms of the simulation's loop at link time" OFF)
set(WARPFORK_PROFILE "" CACHE STRING "'generate': programs write a profile of what they do; 'use': optimise by it")
set(WARPFORK_PROFILE_FOLDER ${CMAKE_BINARY_DIR}/profile CACHE PATH "where the profile is")
set(hot_flags)
if(WARPFORK_LTO)
  # Fat: installed libraries serve any compiler. Partitions: g++ 12 fails on those of a shared library of which only a part
  # has code for it ("internal compiler error: in add_symbol_to_partition_1").
  list(APPEND hot_flags -flto -flto-partition=none -ffat-lto-objects)
endif()
if(WARPFORK_PROFILE STREQUAL "generate")
  list(APPEND hot_flags -fprofile-generate=${WARPFORK_PROFILE_FOLDER} -fprofile-update=prefer-atomic)
elseif(WARPFORK_PROFILE STREQUAL "use")
  list(APPEND hot_flags -fprofile-use=${WARPFORK_PROFILE_FOLDER} -fprofile-partial-training -Wno-missing-profile)
elseif(WARPFORK_PROFILE)
  message(FATAL_ERROR "WARPFORK_PROFILE is '${WARPFORK_PROFILE}'; it may be empty, generate or use")
endif()
if(hot_flags AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "WARPFORK_LTO and WARPFORK_PROFILE need g++")
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
