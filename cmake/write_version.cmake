# cmake -DSOURCE=… -DVERSION=… -DHEADER=… -P write_version.cmake
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failure)
if(failure OR commit STREQUAL "")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"// Made by cmake/write_version.cmake.
#pragma once
#define WARPFORK_VERSION \"${VERSION}\"
#define WARPFORK_COMMIT \"${commit}\"
")
