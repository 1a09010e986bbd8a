// What a machine description says about everything below the cores' caches.
#pragma once

#include "memory/address_mapping.h"
#include "memory/clock_spec.h"
#include "memory/crossbar_spec.h"
#include "memory/dram_spec.h"
#include "memory/l2_spec.h"

namespace warpfork::memory {

struct MemorySpec {
  ClockSpec clock;
  CrossbarSpec interconnect;
  AddressMappingSpec mapping;
  L2Spec l2;
  DramSpec dram;

  template <class Visit>
  void visit(Visit&& v) {
    v("clock", clock, "clock domains");
    v("interconnect", interconnect,
      "two crossbars between the cores and the L2 slices, one for requests, one for replies");
    v("mapping", mapping, "which channel, slice, bank and row an address belongs to");
    v("l2", l2, "each slice of the L2");
    v("dram", dram, "each DRAM channel");
  }
};

}  // namespace warpfork::memory
