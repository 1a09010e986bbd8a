// What one core draws on a timeline of a launch.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/machine_spec.h"
#include "report/launch_listener.h"
#include "trace/core_counters.h"
#include "trace/merged_track.h"
#include "trace/warp_rows.h"

namespace warpfork::trace {

/// Its schedulers, temporal lanes and warps, and its counters. Between enter() and leave() it draws; blocks may start
/// at any time.
class CoreTrace {
 public:
  struct Options {
    const gpu::MachineSpec& machine;
    const CodeText& code;
    unsigned mask_width;
    Cycle window;  // of the counters
  };

  CoreTrace(EventWriter& writer, const Options& options, const report::CoreEvent& core);

  bool is_drawing() const { return is_drawing_; }
  /// Blocks that are there are drawn from this cycle on.
  void enter(Cycle at);
  /// All that is open ends here.
  void leave(Cycle at);

  void block_started(const report::BlockEvent& event);
  void issued(const report::IssueEvent& event);
  void stalled(unsigned scheduler, report::StallCause cause, Cycle from, Cycle cycles);
  void occupied(unsigned live_warps, Cycle from, Cycle cycles);
  void lane_entered(const report::LaneEvent& event);

 private:
  struct Block {
    const gpu::ResidentBlock* block = nullptr;
    unsigned warps = 0;
    Dim3 index;
  };

  void begin_warps(unsigned first, Cycle at);
  WarpRows& rows_of(unsigned slot);

  EventWriter& writer_;
  Options options_;
  unsigned process_;
  bool regroups_;
  bool is_drawing_ = false;
  CoreCounters counters_;
  std::vector<MergedTrack> schedulers_, lanes_;
  std::map<unsigned, Block> blocks_;             // by their first warp slot
  std::vector<std::unique_ptr<WarpRows>> rows_;  // by warp slot
  std::vector<std::string> warp_names_;          // likewise
};

}  // namespace warpfork::trace
