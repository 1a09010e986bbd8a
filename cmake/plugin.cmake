# The example of a plugin, built within this tree for the tests. It keeps the contract of mechanisms but for meeting at
# postdominators, which its entry in the registry says, and is refused scalars for it.
add_library(example_plugin MODULE EXCLUDE_FROM_ALL examples/min-pc/min_pc.cpp)
target_link_libraries(example_plugin PRIVATE warpfork_divergence)
add_dependencies(tests example_plugin)
add_dependencies(test_divergence example_plugin cudart_12)
target_compile_definitions(test_divergence PRIVATE TEST_PLUGIN="$<TARGET_FILE:example_plugin>"
  TEST_NO_PLUGIN="$<TARGET_FILE:cudart_12>")
add_test(NAME plugin.keeps_the_contract COMMAND test_divergence --gtest_filter=Every/Contract.*/min_pc --gtest_fail_fast)
set_tests_properties(plugin.keeps_the_contract PROPERTIES PASS_REGULAR_EXPRESSION "PASSED  . 5 tests")
add_dependencies(test_gpu example_plugin)
add_test(NAME plugin.keeps_no_scalars COMMAND test_gpu --gtest_filter=CodeOptions.*)
set_tests_properties(plugin.keeps_the_contract plugin.keeps_no_scalars PROPERTIES
  ENVIRONMENT WARPFORK_PLUGINS=$<TARGET_FILE:example_plugin> WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
