// The listener `statistics`: counts what docs/result-schema.md defines for one launch.
#pragma once

#include <vector>

#include "report/branch_partings.h"
#include "report/launch_listener.h"
#include "report/launch_record.h"

namespace warpfork::report {

class LaunchStatistics final : public LaunchListener {
 public:
  /// For a kernel of `code_size` instructions on a machine of `cores` cores with `warps` warp slots each.
  LaunchStatistics(std::size_t code_size, unsigned cores, unsigned warps);

  void issued(const IssueEvent& event) override;
  void compacted(const CompactionEvent& event) override;
  void stalled(StallCause cause, Cycle cycles) override;
  void occupied(unsigned live_warps, Cycle cycles, bool idle) override;
  void threads(const ThreadCycles& cycles) override;
  void split(const SplitEvent& event) override { splits_.add(event); }
  void lanes(const LaneCycles& cycles) override { lanes_.add(cycles); }
  void lane_entered(unsigned, unsigned lane, unsigned threads, Cycle now) override {
    lanes_.timeline.add(lane, threads, now);
  }
  bool hears_lanes(unsigned core) const override { return core == 0; }
  void table_moved(bool to_memory, unsigned bytes) override { tables_.move(to_memory, bytes); }
  void tables_used(unsigned splits, unsigned reconvergence) override { tables_.use(splits, reconvergence); }
  void block_started(unsigned core, unsigned first, unsigned warps) override;

  /// Puts its counts into the record; of branches only the figures and PCs.
  void fill(LaunchRecord& record) const;

 private:
  struct Branch {
    std::uint64_t executions = 0, divergent = 0, places = 0;
    CompactionCount compaction;
  };

  unsigned warps_;
  std::vector<Branch> branches_;          // by PC
  std::vector<std::uint64_t> lost_;       // lane-slots, by PC of the branch
  std::vector<BranchPartings> partings_;  // by warp slot of the chip
  std::uint64_t executed_ = 0;
  DivergentPathCount divergent_paths_;
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes_{};
  std::array<std::uint64_t, kStallCauses> stalls_{};
  std::uint64_t idle_ = 0, warp_cycles_ = 0, core_cycles_ = 0;
  ThreadCycles thread_cycles_{};
  SplitCount splits_;
  TableCount tables_;
  LaneCount lanes_;
};

}  // namespace warpfork::report
