// The three clock domains of the memory path.
#pragma once

namespace warpfork::memory {

struct ClockSpec {
  unsigned core_mhz = 1000;
  unsigned interconnect_mhz = 1000;
  unsigned dram_mhz = 1000;

  template <class Visit>
  void visit(Visit&& v) {
    v("core_mhz", core_mhz, "core clock, the one in which cycles are counted", {1, 100000});
    v("interconnect_mhz", interconnect_mhz, "clock of the interconnect and of the L2", {1, 100000});
    v("dram_mhz", dram_mhz, "command clock of the DRAM", {1, 100000});
  }
};

}  // namespace warpfork::memory
