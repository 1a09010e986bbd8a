# The example of a plugin, built within this tree for the tests. Of the contract of mechanisms it keeps what it can: in code
# that is not laid out in the order in which it runs, lowest pc first, it loses reconvergence.
add_library(example_plugin MODULE EXCLUDE_FROM_ALL examples/min-pc/min_pc.cpp)
target_link_libraries(example_plugin PRIVATE warpfork_divergence)
add_dependencies(tests example_plugin)
add_dependencies(test_divergence example_plugin cudart_12)
target_compile_definitions(test_divergence PRIVATE TEST_PLUGIN="$<TARGET_FILE:example_plugin>"
  TEST_NO_PLUGIN="$<TARGET_FILE:cudart_12>")
add_test(NAME plugin.keeps_the_contract COMMAND test_divergence --gtest_filter=Every/Contract.*structured_programs_with_barriers/min_pc:Every/Contract.*launched_again/min_pc --gtest_fail_fast)
set_tests_properties(plugin.keeps_the_contract PROPERTIES ENVIRONMENT WARPFORK_PLUGINS=$<TARGET_FILE:example_plugin>
  PASS_REGULAR_EXPRESSION "PASSED  . 2 tests" WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
