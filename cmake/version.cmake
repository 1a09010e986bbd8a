# The commit in the result documents is that of the last build: warpfork_version.h is made anew by every build, and
# written only when it changes.
set(version_header ${CMAKE_BINARY_DIR}/generated/warpfork_version.h)
add_custom_target(warpfork_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DHEADER=${version_header}
          -P ${CMAKE_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${version_header}
  COMMENT "")
