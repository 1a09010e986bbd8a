# What `cmake --install` puts beside the program, and the Debian package that `cpack` makes of it. Everything is found from
# the program's own place: the tree may lie anywhere and be moved.
include(GNUInstallDirs)

# Manual page and completions are made by the program itself, from its help.
set(help_folder ${CMAKE_BINARY_DIR}/generated/help)
function(help_file file) # and the words of the command that prints it
  add_custom_command(OUTPUT ${help_folder}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${help_folder}
    COMMAND warpfork ${ARGN} > ${help_folder}/${file}
    DEPENDS warpfork VERBATIM)
endfunction()
help_file(warpfork.1 manual)
help_file(warpfork completion bash)
help_file(_warpfork completion zsh)
add_custom_target(warpfork_help ALL DEPENDS ${help_folder}/warpfork.1 ${help_folder}/warpfork ${help_folder}/_warpfork)
install(FILES ${help_folder}/warpfork.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${help_folder}/warpfork DESTINATION share/bash-completion/completions)
install(FILES ${help_folder}/_warpfork DESTINATION share/zsh/site-functions)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/workloads) # empty where there is no clang
install(DIRECTORY ${CMAKE_BINARY_DIR}/workloads DESTINATION lib/warpfork USE_SOURCE_PERMISSIONS)
# Pages and what they link to lie as in the source tree, so that the links hold.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md ARCHITECTURE.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(file recorder/LICENSE src/report/launch_record.h tests/data/report/result.json tests/silicon/README.md
    workloads/barrier_deadlock/README.md workloads/ray/README.md workloads/spin_lock/README.md workloads/spmd/README.md)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
file(RELATIVE_PATH from_pages /${CMAKE_INSTALL_DOCDIR} /share/warpfork)
foreach(folder experiments toolchain)
  install(CODE "file(CREATE_LINK ${from_pages}/${folder}
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/${folder}\" SYMBOLIC)")
endforeach()

# find_package(warpfork): warpfork::divergence, what a plugin is written against (examples/min-pc), and
# warpfork::warpfork, all rooms of libwarpfork.so (examples/run-kernel).
include(CMakePackageConfigHelpers)
set(package_folder lib/cmake/warpfork)
foreach(room base divergence)
  set_target_properties(warpfork_${room} PROPERTIES EXPORT_NAME ${room})
endforeach()
foreach(room ${library_rooms})
  install(DIRECTORY src/${room} DESTINATION include/warpfork FILES_MATCHING PATTERN *.h PATTERN *.def
    PATTERN cuda/api EXCLUDE PATTERN cuda/driver EXCLUDE PATTERN cuda/library EXCLUDE # of libcudart.so alone
    PATTERN cuda/runtime EXCLUDE)
endforeach()
install(TARGETS warpfork_flags warpfork_base warpfork_divergence warpfork_library EXPORT warpfork
  ARCHIVE DESTINATION lib/warpfork LIBRARY DESTINATION lib)
install(EXPORT warpfork NAMESPACE warpfork:: FILE warpforkTargets.cmake DESTINATION ${package_folder})
file(WRITE ${CMAKE_BINARY_DIR}/generated/warpforkConfig.cmake
"include(CMakeFindDependencyMacro)
foreach(package fmt nlohmann_json Threads)
  find_dependency(\${package})
endforeach()
include(\${CMAKE_CURRENT_LIST_DIR}/warpforkTargets.cmake)
")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/warpforkConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/warpforkConfig.cmake ${CMAKE_BINARY_DIR}/generated/warpforkConfigVersion.cmake
  DESTINATION ${package_folder})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "warpfork developers <warpfork@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of SIMT control flow for CUDA and x86-64 programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-pandas, libfmt-dev, nlohmann-json3-dev, libthrust-dev") # docs/python.md, docs/library.md, toolchain/README.md
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang, qemu-user") # `warpfork cc`, `warpfork record`
if(CLANG)
  execute_process(COMMAND ${CLANG} -dumpversion OUTPUT_VARIABLE clang_version)
  string(REGEX MATCH "^[0-9]+" clang_version "${clang_version}")
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libclc-${clang_version}")
endif()
include(CPack)
