# Modules for a GPU, and digests of what it made of them: tests/silicon/README.md. Built with the tests, run by hand.
add_executable(silicon_forms EXCLUDE_FROM_ALL
  ${CMAKE_SOURCE_DIR}/tests/silicon/forms.cpp ${CMAKE_SOURCE_DIR}/tests/unit/simt/instruction_forms.cpp
  ${CMAKE_SOURCE_DIR}/tests/unit/simt/random_bodies.cpp)
target_link_libraries(silicon_forms PRIVATE reference_harness)
add_dependencies(tests silicon_forms)
