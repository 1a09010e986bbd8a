// The issued instructions of divergent paths (CAPRI section IV; docs/result-schema.md, "divergent_paths").
#pragma once

#include <cstdint>

#include "report/ratio.h"

namespace warpfork::report {

struct DivergentPathCount {
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::uint64_t lane_slots = 0;  // of these warp instructions

  double simd_efficiency() const { return ratio(thread_instructions, lane_slots); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("warp_instructions", warp_instructions, "warp instructions", "of the launch's, those on divergent paths");
    v.count("thread_instructions", thread_instructions, "thread instructions", "likewise");
    v.hidden("lane_slots", lane_slots);
    v.rate("simd_efficiency", simd_efficiency(), "0 … 1",
           "`thread_instructions` / (`warp_instructions` × warp size) of these");
  }
};

}  // namespace warpfork::report
