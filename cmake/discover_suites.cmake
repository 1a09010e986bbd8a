# For CTest, when it starts: the suites of a room's test program, each a test by the name ROOM.SUITE. Not a process for
# every test: it would take longer to start than to run, as it registers all tests of the program with all their parameters.

# register_suites(ROOM PROGRAM FOLDER SLOW): run in the folder, without the tests that the filter SLOW names
function(register_suites room program folder slow)
  if(NOT EXISTS ${program})
    add_test(${room}_NOT_BUILT ${program})
    return()
  endif()
  execute_process(COMMAND ${program} --gtest_list_tests "--gtest_filter=-${slow}" WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." suites "\n${listed}")
  foreach(suite ${suites})
    string(REGEX REPLACE "\n(.*)\\." "\\1" suite ${suite})
    add_test("${room}.${suite}" ${program} "--gtest_filter=${suite}.*-${slow}")
    set_tests_properties("${room}.${suite}" PROPERTIES WORKING_DIRECTORY ${folder} LABELS quick)
  endforeach()
endfunction()
