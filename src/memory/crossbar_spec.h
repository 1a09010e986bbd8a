// What a machine description says about the interconnect between the cores and the L2 slices.
#pragma once

namespace warpfork::memory {

/// Every packet begins with this much address and control.
inline constexpr unsigned kHeaderBytes = 8;

struct CrossbarSpec {
  unsigned flit_bytes = 32;
  unsigned latency = 5;
  unsigned internal_speedup = 2;
  unsigned injection_queue = 9;
  unsigned input_buffer = 64;
  unsigned output_buffer = 80;

  template <class Visit>
  void visit(Visit&& v) {
    v("flit_bytes", flit_bytes, "bytes a port moves in one interconnect cycle", {1, 4096});
    v("latency", latency,
      "interconnect cycles from winning the switch to the far port. Calibrated: 5 makes a single load that hits the L2 "
      "of "
      "the GTX 480 come back 137 core cycles after it was sent (pointer_chase_l2)",
      {1, 1 << 20});
    v("internal_speedup", internal_speedup, "switch allocations in one interconnect cycle", {1, 64});
    v("injection_queue", injection_queue,
      "flits that may wait to enter an input port, at least those of a written line", {1, 1 << 20});
    v("input_buffer", input_buffer, "flits an input port of the switch holds", {0, 1 << 20});
    v("output_buffer", output_buffer, "flits that may be under way to or wait behind an output port, at least as many",
      {1, 1 << 20});
  }
};

}  // namespace warpfork::memory
