// A simulated CPU core: how many threads it runs, in which manner, and its parts.
#pragma once

#include <string>

#include "ooo/core_spec.h"

namespace warpfork::ooo {

/// `warps` × `threads` hardware threads. With one thread a warp this is an SMT core.
struct MachineSpec {
  unsigned warps = 2, threads = 4;
  std::string rename = "pirat";
  std::string disambiguation = "stores";
  std::string issue_order = "thread";
  std::string reorder_buffer_sharing = "shared";
  std::string widths = "decoded";
  bool divergence_prediction = true;
  PipelineSpec pipeline;
  LatencySpec latency;
  DataMemorySpec memory;

  template <class Visit>
  void visit(Visit&& v) {
    v("warps", warps, "warps of the core; 64 threads in all at most", {1, 64});
    v("threads", threads, "threads of a warp", {1, 64});
    v("rename", rename, "rename strategy of the out-of-order core: pirat, rat, free-merge, pirat-rewrite");
    v("disambiguation", disambiguation,
      "what a load of the out-of-order core waits for among older stores: perfect (the one it takes its data from), "
      "addresses, stores");
    v("issue_order", issue_order, "what ditva issues in order: the instructions of a thread, or of a warp");
    v("reorder_buffer_sharing", reorder_buffer_sharing,
      "who may use the reorder buffer's entries: all warps (shared), or each its equal part (partitioned)");
    v("widths", widths,
      "what the pipeline's widths count: instructions up to decoding and µops behind it (decoded), instructions, uops");
    v("divergence_prediction", divergence_prediction, "false: every branch is predicted uniform");
    v("pipeline", pipeline, "widths, queues and units");
    v("latency", latency, "cycles from issue to the issue of what depends on it");
    v("memory", memory, "data caches, TLBs and memory");
  }
};

/// Entries of the reorder buffer that a branch's µops may take, with their merges: all of them at a time.
inline constexpr unsigned kLongestBranch = 8;

/// Whether each warp has its part of the reorder buffer.
bool is_partitioned(const MachineSpec& machine);

/// Whether a warp may hold two registers for each architectural one: its threads may part, or, of one thread, a branch
/// may be thought to part it, which the predictor of divergence must learn to be wrong.
bool may_part(const MachineSpec& machine);

/// Throws Error that names the first number of a described machine that is outside its range.
void check_ranges(MachineSpec machine);

/// Throws Error, with the key and what is possible, if no core can be built of such numbers together. `machine`: as the
/// core adapted it, which may have given it more registers. `renames`: it needs registers.
void check_machine(const MachineSpec& machine, bool renames);

}  // namespace warpfork::ooo
