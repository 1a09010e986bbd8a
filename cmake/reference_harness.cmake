# The reference is for tests alone: no part of `all`. The harness runs short bodies by it, for the reference's own tests
# and for those that hold the fast executor against it.
set_target_properties(warpfork_reference PROPERTIES EXCLUDE_FROM_ALL ON)
add_library(reference_harness STATIC EXCLUDE_FROM_ALL
  ${CMAKE_SOURCE_DIR}/tests/reference_harness/harness.cpp ${CMAKE_SOURCE_DIR}/tests/reference_harness/image_module.cpp
  ${CMAKE_SOURCE_DIR}/tests/reference_harness/records.cpp)
target_include_directories(reference_harness PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(reference_harness PUBLIC warpfork_reference)
