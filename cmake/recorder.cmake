# The recorder: a plugin for Debian's qemu-x86_64, under a licence of its own (recorder/LICENSE). It shares files with
# the rest, but no code. QEMU itself provides the functions that it calls, and is built without sanitizers.
file(GLOB recorder_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/recorder/*.cpp)
add_library(recorder MODULE ${recorder_files})
target_compile_options(recorder PRIVATE ${warnings} -fvisibility=hidden -O2 -fno-sanitize=all)
target_link_options(recorder PRIVATE -fno-sanitize=all)
target_link_libraries(recorder PRIVATE ${ZSTD_LIBRARY} Threads::Threads)
set_target_properties(recorder PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  PREFIX "" OUTPUT_NAME warpfork-recorder)
add_dependencies(warpfork recorder) # `warpfork record` cannot do without
install(TARGETS recorder LIBRARY DESTINATION lib/warpfork)

# Stand-ins for QEMU with every version of the plugin interface that changed something: 7.2 to 8.2 have 1, 9.0 has 2, 9.1
# has 3, 10 has 4.
foreach(interface 1 2 3 4)
  add_executable(plugin_host_${interface} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/recorder/tests/plugin_host.cpp)
  target_compile_options(plugin_host_${interface} PRIVATE ${warnings})
  target_compile_definitions(plugin_host_${interface} PRIVATE INTERFACE=${interface})
  target_link_libraries(plugin_host_${interface} PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(plugin_host_${interface} PROPERTIES ENABLE_EXPORTS ON)
  add_dependencies(tests plugin_host_${interface} recorder)
  add_test(NAME recorder.interface_${interface}
    COMMAND plugin_host_${interface} $<TARGET_FILE:recorder> ${CMAKE_BINARY_DIR}/tests/recorder/${interface})
endforeach()

# The programs that the tests record. Their flags are fixed, whatever the preset.
find_program(GCC gcc REQUIRED)
find_program(GXX g++ REQUIRED)
set(guest_folder ${CMAKE_BINARY_DIR}/tests/x86)
set(guest_flags -static -no-pie -fcf-protection=none -fno-stack-protector -O2 -g -Wall ${stop_at_warnings})
set(guest_flags_accesses -ffreestanding -nostdlib)
set(guest_flags_control -ffreestanding -nostdlib)
set(guest_flags_regions -fopenmp -Wl,--no-warnings) # libgomp calls dlopen, but only to look for accelerators
file(GLOB guest_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/x86/guests/*.c*)
foreach(source ${guest_sources})
  cmake_path(GET source STEM guest)
  if(source MATCHES [[\.cc$]])
    set(compiler ${GXX})
  else()
    set(compiler ${GCC})
  endif()
  add_custom_command(
    OUTPUT ${guest_folder}/${guest}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${guest_folder}
    COMMAND ${compiler} ${guest_flags} -pthread ${guest_flags_${guest}} ${source} -o ${guest_folder}/${guest}
    DEPENDS ${source}
    VERBATIM)
  list(APPEND guests ${guest_folder}/${guest})
endforeach()
add_custom_target(test_guests DEPENDS ${guests})
target_sources(test_ooo PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/x86/recorded_guest.cpp
  ${CMAKE_SOURCE_DIR}/tests/unit/x86/recording_builder.cpp)
target_sources(test_cli PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/x86/recording_builder.cpp)
foreach(test test_x86 test_ooo test_process)
  add_dependencies(${test} test_guests recorder)
  target_compile_definitions(${test} PRIVATE TEST_GUESTS="${guest_folder}" TEST_RECORDER="$<TARGET_FILE:recorder>")
endforeach()
