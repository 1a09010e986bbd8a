# The recorder: a plugin for Debian's qemu-x86_64, under a licence of its own (recorder/LICENSE). It shares files with
# the rest, but no code. QEMU itself provides the functions that it calls, and is built without sanitizers.
file(GLOB recorder_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/recorder/*.cpp)
add_library(recorder MODULE ${recorder_files})
target_compile_options(recorder PRIVATE -Wall -Wextra -Werror -fvisibility=hidden -O2 -fno-sanitize=all)
target_link_options(recorder PRIVATE -fno-sanitize=all)
target_link_libraries(recorder PRIVATE ${ZSTD_LIBRARY} Threads::Threads)
set_target_properties(recorder PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  PREFIX "" OUTPUT_NAME warpfork-recorder)
add_dependencies(warpfork recorder) # `warpfork record` cannot do without
install(TARGETS recorder LIBRARY DESTINATION lib/warpfork)
