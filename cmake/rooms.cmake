# Eight sources a compiler run: less than half of the work, as most of it is headers and templates. A source by itself shows
# an #include that was forgotten: that is for builds by clang, which do without these headers compiled once, too.
string(COMPARE EQUAL "${CMAKE_CXX_COMPILER_ID}" GNU unity_default)
option(WARPFORK_UNITY "compile eight sources at a time where it changes nothing that is simulated fast" ${unity_default})
function(warpfork_together target)
  if(WARPFORK_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# Only sources of one folder below `root`, for programs that link some of the folders: eight at a time, those of the
# root by themselves.
function(warpfork_together_by_folder target root)
  warpfork_together(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${root} ${folder})
    if(folder)
      string(MAKE_C_IDENTIFIER ${folder} folder)
      math(EXPR ${folder}_count "${${folder}_count} + 1")
      math(EXPR batch "(${${folder}_count} - 1) / 8")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
    endif()
  endforeach()
endfunction()

# Half of a file's compile time is the headers of others, so they are compiled once: a room names its own (HEADERS) or
# the room whose it takes over (HEADERS_OF, by default base). From gcc 13 on that must be a room that is optimised alike: a
# COLD room takes those of ptx. Clang does without, and so finds an #include that was forgotten.
function(warpfork_precompile target prefix)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  cmake_parse_arguments(PCH "" "OF" "HEADERS" ${ARGN})
  if(PCH_HEADERS)
    target_precompile_headers(${target} PRIVATE ${PCH_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM ${prefix}_${PCH_OF})
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess) # so that ccache understands it
endfunction()

# warpfork_room(NAME [COLD] [TOGETHER] [APART] [ROOMS other…] [LIBRARIES lib…] [TEST lib…] [HEADERS <header>… | HEADERS_OF other]
#               [SLOW suite.test…])
#   src/NAME/**.cpp        -> static library warpfork_NAME; COLD: neither in the simulation's loop nor where a
#                             kernel's registers are placed, optimised less and compiled together; TOGETHER: compiled
#                             so, and optimised; APART: folder by folder, as some programs link only some of them
#   tests/unit/NAME/*.cpp  -> program test_NAME of the target `tests`, registered with CTest suite by suite with the
#                             label quick, or test by test with the label slow those that SLOW names (* is anything)
add_custom_target(tests) # not part of `all`: who wants to use warpfork need not wait for them
function(warpfork_room name)
  cmake_parse_arguments(ROOM "COLD;APART;TOGETHER" "HEADERS_OF" "ROOMS;LIBRARIES;TEST;HEADERS;SLOW" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY warpfork_rooms ${name})
  if(NOT ROOM_HEADERS_OF)
    set(ROOM_HEADERS_OF base)
    if(ROOM_COLD AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      set(ROOM_HEADERS_OF ptx)
    endif()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(warpfork_${name} STATIC ${sources})
    set(scope PUBLIC)
    # Not in the simulation's loop, where what g++ inlines depends on what else it sees (+2.8 % host instructions on
    # branch_nested).
    if(ROOM_APART)
      warpfork_together_by_folder(warpfork_${name} ${CMAKE_SOURCE_DIR}/src/${name})
    elseif(ROOM_COLD OR ROOM_TOGETHER)
      warpfork_together(warpfork_${name})
    endif()
    warpfork_precompile(warpfork_${name} warpfork OF ${ROOM_HEADERS_OF} HEADERS ${ROOM_HEADERS})
    if(ROOM_COLD)
      target_compile_options(warpfork_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    else()
      target_compile_options(warpfork_${name} PRIVATE ${hot_flags})
      target_link_options(warpfork_${name} INTERFACE $<BUILD_INTERFACE:${hot_flags}>)
    endif()
  else()
    add_library(warpfork_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(warpfork_${name} ${scope} warpfork_flags ${ROOM_LIBRARIES})
  foreach(other ${ROOM_ROOMS})
    target_link_libraries(warpfork_${name} ${scope} warpfork_${other})
  endforeach()

  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${name}/*.cpp)
  if(tests)
    add_executable(test_${name} EXCLUDE_FROM_ALL ${tests})
    add_dependencies(tests test_${name})
    target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_link_libraries(test_${name} PRIVATE warpfork_${name} ${ROOM_TEST} GTest::gtest_main GTest::gmock Threads::Threads)
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    # Instrumented builds (no CONFIG) optimise what is tested, not the tests: half of the time these take to compile. Those
    # that run random programs would take more than three times as long.
    if(NOT rapidcheck IN_LIST ROOM_TEST)
      target_compile_options(test_${name} PRIVATE $<$<CONFIG:>:-O0>)
    endif()
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
      target_compile_definitions(test_${name} PRIVATE TEST_ADDRESS_SANITIZER)
    endif()
    if(name STREQUAL "base")
      # What few tests need stays out: GCC instantiates a precompiled header's templates in every file anew.
      warpfork_precompile(test_base test HEADERS <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> <map> <string> <vector>)
    else()
      warpfork_precompile(test_${name} test OF base)
    endif()
    warpfork_together(test_${name}) # what a file keeps to itself is in a namespace of its name
    include(GoogleTest)
    list(JOIN ROOM_SLOW ":" slow)
    set(suites ${CMAKE_CURRENT_BINARY_DIR}/test_${name}_suites.cmake)
    file(GENERATE OUTPUT ${suites} CONTENT "include(\"${CMAKE_SOURCE_DIR}/cmake/discover_suites.cmake\")
register_suites(${name} \"$<TARGET_FILE:test_${name}>\" \"${CMAKE_SOURCE_DIR}\" \"${slow}\")
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
    if(slow)
      gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        TEST_FILTER "${slow}" TEST_LIST test_${name}_SLOW PROPERTIES LABELS slow)
    endif()
  endif()
endfunction()
