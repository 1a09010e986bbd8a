# libwarpfork.so: the rooms as one shared library, for programs and Python (cmake/python.cmake) that run simulations
# themselves. It finds machine files and the CUDA runtime from its own place, as the program does from its own. The
# CUDA runtime's and the driver's C functions are left out: they would take the place of another one's. Sources that are
# compiled together have their folder's name.
get_property(library_rooms GLOBAL PROPERTY warpfork_rooms)
list(REMOVE_ITEM library_rooms cli compiler reference)
set(library_objects ${lane_objects})
foreach(room ${library_rooms})
  list(APPEND library_objects "$<FILTER:$<TARGET_OBJECTS:warpfork_${room}>,EXCLUDE,/cuda/(api|driver)/|/unity_(api|driver)_>")
  get_target_property(links warpfork_${room} LINK_LIBRARIES)
  list(APPEND library_links ${links})
endforeach()
list(FILTER library_links EXCLUDE REGEX "^warpfork_")
list(REMOVE_DUPLICATES library_links)
add_library(warpfork_library SHARED ${library_objects})
set_target_properties(warpfork_library PROPERTIES OUTPUT_NAME warpfork EXPORT_NAME warpfork LINKER_LANGUAGE CXX)
target_link_libraries(warpfork_library
  PUBLIC warpfork_flags fmt::fmt nlohmann_json::nlohmann_json Threads::Threads
  PRIVATE ${library_links} ${CMAKE_DL_LIBS})
target_link_options(warpfork_library PRIVATE -Wl,--no-undefined -Wl,-Bsymbolic-functions ${hot_flags})
