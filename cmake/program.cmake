# The program `warpfork`, and beside it the files that it looks for: share/warpfork as in an installed tree.
include(cmake/version.cmake)
include(cmake/bench.cmake)
add_dependencies(warpfork_process warpfork_version)
target_include_directories(warpfork_process PRIVATE ${CMAKE_BINARY_DIR}/generated)

add_executable(warpfork src/cli/main.cpp)
target_link_libraries(warpfork PRIVATE warpfork_cli)
foreach(folder machines toolchain experiments)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/warpfork)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/share/warpfork/${folder} SYMBOLIC)
  install(DIRECTORY ${folder}/ DESTINATION share/warpfork/${folder} USE_SOURCE_PERMISSIONS)
endforeach()
install(TARGETS warpfork)
foreach(library cudart_11.0 cudart_12 cudart_13 libcuda runtime_audit)
  if(TARGET ${library})
    add_dependencies(warpfork ${library}) # a warpfork without them can run no program
    install(TARGETS ${library} LIBRARY DESTINATION lib/warpfork)
  endif()
endforeach()
foreach(room sweep cli)
  add_dependencies(test_${room} warpfork) # `compare` starts it for each mechanism
endforeach()
