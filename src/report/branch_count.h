// What happened at one conditional branch of a kernel.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "report/compaction_count.h"
#include "report/ratio.h"
#include "report/source_line.h"

namespace warpfork::report {

struct BranchCount {
  Pc pc = 0;
  unsigned ptx_line = 0;
  SourceLine source;
  std::uint64_t executions = 0, divergent = 0, places = 0, lost_lane_slots = 0;
  CompactionCount compaction{};

  /// Places to which the active lanes of an execution went.
  double mean_splits() const { return ratio(places, executions); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("pc", pc, "index", "of the instruction in the kernel");
    v.fact("ptx_line", ptx_line, "line number", "of the instruction in the PTX text");
    v.nullable("source", source, "its `file` and `line` from `.loc`, or `null`");
    v.count("executions", executions, "warp instructions", "issued at this PC");
    v.count("divergent", divergent, "warp instructions",
            "of these, those after which the active lanes went to more than one place");
    v.hidden("places", places);
    v.rate("mean_splits", mean_splits(), "places", "to which the active lanes went, mean over all executions");
    v.count("lost_lane_slots", lost_lane_slots, "lane-slots",
            "of inactive lanes, summed over the instructions issued between this branch's divergence and the "
            "reconvergence of "
            "the lanes that it parted: what the branch cost in lanes");
    v.group("compaction", compaction,
            "only of mechanisms that regroup threads, where warps met at the branch or diverged without waiting; see "
            "below");
  }
};

}  // namespace warpfork::report
