# The CUDA runtime that programs load: one shared library for each soname that nvcc 11 to 13 and clang ask for.
target_include_directories(warpfork_cuda PUBLIC ${CMAKE_SOURCE_DIR}/toolchain/include)
# Our own definition of cudaGetDeviceProperties must not be renamed by the header's macro.
target_compile_definitions(warpfork_cuda PUBLIC WARPFORK_CUDART_IMPLEMENTATION)

set(per_thread_streams ${CMAKE_SOURCE_DIR}/src/cuda/library/per_thread_streams.ld)
# warpfork_cudart(NAME FOLDER VERSION NUMBER MAIN SOURCE)
#   shared library FOLDER/libcudart.so.VERSION, all symbols at node libcudart.so.VERSION; NUMBER as cudaRuntimeGetVersion
function(warpfork_cudart name folder version number main)
  set(script ${CMAKE_BINARY_DIR}/${name}.map)
  file(WRITE ${script} "libcudart.so.${version} { global: cuda*; __cuda*; local: *; };\n")
  add_library(${name} SHARED ${main})
  target_compile_definitions(${name} PRIVATE WARPFORK_CUDART_VERSION=${number})
  target_link_libraries(${name} PRIVATE
    -Wl,--whole-archive $<TARGET_FILE:warpfork_cuda> -Wl,--no-whole-archive warpfork_cuda
    -Wl,--version-script=${script} ${per_thread_streams})
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize") # whose runtime clang links into programs alone
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${folder} OUTPUT_NAME cudart SUFFIX .so.${version} NO_SONAME TRUE
    LINK_OPTIONS -Wl,-soname,libcudart.so.${version} LINK_DEPENDS "${script};${per_thread_streams}")
endfunction()

# warpfork_libcuda(NAME FOLDER): shared library FOLDER/libcuda.so.1, the driver API of whichever libcudart.so is loaded
file(WRITE ${CMAKE_BINARY_DIR}/libcuda.map "{ global: cu*; local: *; };\n")
function(warpfork_libcuda name folder)
  add_library(${name} SHARED src/cuda/library/driver/main.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/toolchain/include)
  target_link_options(${name} PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/libcuda.map)
  target_link_libraries(${name} PRIVATE warpfork_flags ${CMAKE_DL_LIBS})
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${folder} OUTPUT_NAME cuda SOVERSION 1 LINK_DEPENDS ${CMAKE_BINARY_DIR}/libcuda.map)
endfunction()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64") # whose jumps it is made of
  warpfork_libcuda(libcuda ${CMAKE_BINARY_DIR}/lib)
  warpfork_libcuda(test_libcuda ${CMAKE_BINARY_DIR}/tests/cudart)
  set(test_libraries test_libcuda)
endif()

# The releases: soname's version and cudaRuntimeGetVersion's number. Beside the product's libraries, in which the
# simulated GPU runs the kernels, the tests have their own, which run them functionally.
foreach(release 11.0:11080 12:12000 13:13000)
  string(REPLACE ":" ";" release ${release})
  list(GET release 0 version)
  list(GET release 1 number)
  if(EXISTS ${CMAKE_SOURCE_DIR}/src/cuda/gpu_sink.cpp)
    warpfork_cudart(cudart_${version} ${CMAKE_BINARY_DIR}/lib ${version} ${number} src/cuda/library/main.cpp)
  endif()
  warpfork_cudart(test_cudart_${version} ${CMAKE_BINARY_DIR}/tests/cudart ${version} ${number}
    tests/cudart/functional_cudart.cpp)
  target_include_directories(test_cudart_${version} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  list(APPEND test_libraries test_cudart_${version})
endforeach()

# The loader's auditor, in the programs' own libraries (docs/adr/0032). It shares no code with what it loads.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_library(runtime_audit SHARED
    src/cuda/library/audit/main.cpp src/cuda/image/elf_section.cpp src/cuda/image/linked_functions.cpp)
  target_include_directories(runtime_audit PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(runtime_audit PRIVATE warpfork_flags ${CMAKE_DL_LIBS})
  target_link_options(runtime_audit PRIVATE -static-libstdc++ -static-libgcc)
  set_target_properties(runtime_audit PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib OUTPUT_NAME warpfork_audit)
  target_compile_definitions(test_cuda PRIVATE TEST_RUNTIME_AUDIT="$<TARGET_FILE:runtime_audit>")
  list(APPEND test_libraries runtime_audit)
endif()

add_dependencies(test_cuda ${test_libraries})
foreach(test test_cuda test_compiler)
  target_compile_definitions(${test} PRIVATE
    TEST_CUDART_FOLDER="${CMAKE_BINARY_DIR}/tests/cudart" TEST_TOOLCHAIN="${CMAKE_SOURCE_DIR}/toolchain/include")
endforeach()
