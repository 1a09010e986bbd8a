// Machine descriptions the memory tests share: numbers of the GTX 480 and the 30-core Tesla.
#pragma once

#include "memory/cache_spec.h"
#include "memory/memory_spec.h"

namespace warpfork::memory::testing {

inline MemorySpec gtx480() {
  MemorySpec spec;
  spec.clock = {.core_mhz = 700, .interconnect_mhz = 700, .dram_mhz = 924};
  spec.interconnect.flit_bytes = 40;
  spec.mapping = {
      .channels = 6, .slices_per_channel = 2, .interleave_bytes = 256, .bank_mask = 0xe100, .row_mask = 0x0fff0000};
  spec.l2.filled_by_copies = true;
  spec.dram.banks = 16;
  spec.dram.bank_groups = 4;
  spec.dram.column_to_column_group = 3;
  spec.dram.read_to_precharge_group = 2;
  return spec;
}

inline MemorySpec tesla30() {
  MemorySpec spec;
  spec.clock = {.core_mhz = 1300, .interconnect_mhz = 650, .dram_mhz = 800};
  spec.interconnect.flit_bytes = 32;
  spec.mapping = {
      .channels = 8, .slices_per_channel = 1, .interleave_bytes = 256, .bank_mask = 0x7000, .row_mask = 0x0fff8000};
  spec.l2.ways = 16;
  spec.l2.filled_by_copies = true;
  return spec;
}

inline CacheSpec fermi_l1d() {
  CacheSpec spec;
  spec.mshr_entries = 64;
  spec.hash_index = true;
  spec.hit_latency = 35;
  return spec;
}

}  // namespace warpfork::memory::testing
