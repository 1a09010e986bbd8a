# Every dependency is a package of Debian and Ubuntu; ./dev setup installs them. Without the first ones nothing can be built;
# what needs others is left out where they are missing.

# need(PACKAGE FOUND): after a search, remembers the Debian package that was not found
set(missing)
macro(need package found)
  if(NOT ${found})
    list(APPEND missing ${package})
  endif()
endmacro()

foreach(dependency fmt:libfmt-dev tomlplusplus:libtomlplusplus-dev nlohmann_json:nlohmann-json3-dev CLI11:libcli11-dev
        zydis:libzydis-dev ZLIB:zlib1g-dev)
  string(REPLACE ":" ";" dependency ${dependency})
  list(GET dependency 0 name)
  list(GET dependency 1 package)
  find_package(${name} QUIET)
  need(${package} ${name}_FOUND)
endforeach()
foreach(dependency ZSTD:zstd:libzstd-dev LZ4:lz4:liblz4-dev DW:dw:libdw-dev ELF:elf:libelf-dev LZMA:lzma:liblzma-dev
        NETTLE:nettle:nettle-dev SQLITE:sqlite3:libsqlite3-dev)
  string(REPLACE ":" ";" dependency ${dependency})
  list(GET dependency 0 name)
  list(GET dependency 1 library)
  list(GET dependency 2 package)
  find_library(${name}_LIBRARY ${library})
  need(${package} ${name}_LIBRARY)
endforeach()
find_package(Threads REQUIRED)
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "These packages are needed and missing: ${missing}\nTo install them: ./dev setup")
endif()

# left_out(WHAT): says what is not built for want of the packages in `missing`
function(left_out what)
  list(JOIN missing " " packages)
  message(NOTICE "Left out: ${what} (missing: ${packages}; ./dev setup)")
endfunction()

find_package(GTest QUIET)
need("libgtest-dev;libgmock-dev" GTest_FOUND)
find_library(RAPIDCHECK_LIBRARY rapidcheck)
need(librapidcheck-dev RAPIDCHECK_LIBRARY)
find_path(BOOST_GRAPH boost/graph/sequential_vertex_coloring.hpp)
need(libboost-dev BOOST_GRAPH)
add_library(rapidcheck INTERFACE)
if(missing)
  left_out("the tests")
  list(JOIN missing " " packages)
  add_custom_target(test_packages # not as its COMMENT, which `ninja --quiet` keeps to itself
    COMMAND ${CMAKE_COMMAND} -E echo "The tests need packages that are missing: ${packages} (./dev setup)"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
  foreach(library gtest_main gmock) # the tests stay defined: who asks for one is told
    if(NOT TARGET GTest::${library})
      add_library(GTest::${library} INTERFACE IMPORTED)
    endif()
    add_dependencies(GTest::${library} test_packages)
  endforeach()
else()
  target_link_libraries(rapidcheck INTERFACE ${RAPIDCHECK_LIBRARY})
endif()

set(missing)
find_package(benchmark QUIET)
need(libbenchmark-dev benchmark_FOUND)
if(missing)
  left_out("the benchmarks of ./dev bench")
endif()

# `warpfork cc` finds clang by itself (src/compiler); here it is asked for only whether it would.
set(missing)
find_program(CLANG NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
need(clang CLANG)
find_file(LIBCLC nvptx64--nvidiacl.bc PATHS /usr/lib/clc /usr/share/clc NO_DEFAULT_PATH)
need(libclc-NN LIBCLC)
set(WARPFORK_WORKLOADS ON)
if(missing)
  left_out("the workloads, which `warpfork cc` compiles")
  set(WARPFORK_WORKLOADS OFF)
endif()
