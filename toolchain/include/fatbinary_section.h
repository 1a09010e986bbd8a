/* How a program holds its device code: the sections of its object file, and what it hands over to register it. */
#pragma once

#define FATBIN_CONTROL_SECTION_NAME ".nvFatBinSegment"
#define FATBIN_DATA_SECTION_NAME ".nv_fatbin"
#define FATBIN_PRELINK_DATA_SECTION_NAME "__nv_relfatbin"

#define FATBINC_MAGIC 0x466243B1
#define FATBINC_VERSION 1
#define FATBINC_LINK_VERSION 2 /* of several files' code, whose fat binaries the last member names */

typedef struct {
  int magic;
  int version;
  const unsigned long long* data;
  void* filename_or_fatbins;
} __fatBinC_Wrapper_t;
