# The Python module `warpfork` (docs/python.md), where pybind11 and Python's headers are found: built into
# ${build}/python, installed into lib/python3/dist-packages; PYTHONPATH names either folder.
option(WARPFORK_PYTHON "build the Python module, if pybind11 and Python's headers are there" ON)
if(NOT WARPFORK_PYTHON)
  return()
endif()
set(missing)
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
need(python3-dev Python_FOUND)
find_package(pybind11 CONFIG QUIET)
need(pybind11-dev pybind11_FOUND)
if(missing)
  left_out("the Python module")
  return()
endif()

set(python_folder ${CMAKE_BINARY_DIR}/python/warpfork)
pybind11_add_module(warpfork_python NO_EXTRAS python/bindings.cpp)
target_include_directories(warpfork_python PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(warpfork_python PRIVATE warpfork_library)
set_target_properties(warpfork_python PROPERTIES OUTPUT_NAME _warpfork LIBRARY_OUTPUT_DIRECTORY ${python_folder}
  INSTALL_RPATH $ORIGIN/../../..) # to lib
add_dependencies(warpfork_python warpfork)
file(MAKE_DIRECTORY ${python_folder})
set(python_files __init__.py _warpfork.pyi py.typed)
foreach(file ${python_files})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/warpfork/${file} ${python_folder}/${file} SYMBOLIC)
endforeach()
set(python_packages lib/python3/dist-packages)
install(TARGETS warpfork_python LIBRARY DESTINATION ${python_packages}/warpfork)
list(TRANSFORM python_files PREPEND python/warpfork/)
install(FILES ${python_files} DESTINATION ${python_packages}/warpfork)

add_test(NAME python.module
  COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/python/module_test.py $<TARGET_FILE:warpfork>)
add_test(NAME python.example
  COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/python/example_test.py)
set_tests_properties(python.module python.example PROPERTIES ENVIRONMENT PYTHONPATH=${CMAKE_BINARY_DIR}/python)
