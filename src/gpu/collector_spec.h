// The operand collectors and register banks of a core (gtx480.md, "Operand collectors and register file").
#pragma once

namespace warpfork::gpu {

struct CollectorSpec {
  unsigned banks = 16;
  unsigned sp_units = 6, sfu_units = 8, memory_units = 2;
  unsigned sp_ports = 2, sfu_ports = 1, memory_ports = 1;

  template <class Visit>
  void visit(Visit&& v) {
    v("banks", banks, "register banks, one read or one write each per cycle", {1, 32});
    v("sp_units", sp_units, "collector units in front of the SP units", {1, 32});
    v("sfu_units", sfu_units, "collector units in front of the SFU", {1, 32});
    v("memory_units", memory_units, "collector units in front of the load/store unit; at most 32 units in all",
      {1, 32});
    v("sp_ports", sp_ports, "instructions that enter, and that leave, the SP collectors in a cycle", {1, 32});
    v("sfu_ports", sfu_ports, "the same for the SFU", {1, 32});
    v("memory_ports", memory_ports, "the same for the load/store unit", {1, 32});
  }
};

}  // namespace warpfork::gpu
