// Counts what docs/result-schema.md defines for one launch, on one core.
#pragma once

#include <vector>

#include "report/branch_partings.h"
#include "report/launch_listener.h"
#include "report/launch_record.h"

namespace warpfork::report {

class CoreStatistics final : public LaunchListener {
 public:
  /// For a kernel of `code_size` instructions on a core with so many warp slots.
  CoreStatistics(std::size_t code_size, unsigned warps) : code_size_(code_size), partings_(warps) {}

  void block_started(const BlockEvent& event) override;
  void ran(const IssueRun& run) override;
  void branched(const BranchEvent& event) override;
  void compacted(const CompactionEvent& event) override;
  void scheduled(const SchedulerCycles& sum) override;
  void split(const SplitEvent& event) override { counts_.splits.add(event); }
  void lanes(const LaneCycles& cycles) override { counts_.lanes.add(cycles); }
  LaneTimeline* lane_timeline(unsigned core) override { return core == 0 ? &counts_.lanes.timeline : nullptr; }
  void table_moved(Stamp, bool to_memory, unsigned bytes) override { counts_.tables.move(to_memory, bytes); }
  void threads(Stamp, const ThreadCycles& cycles) override;
  void tables_used(Stamp, unsigned splits, unsigned reconvergence) override {
    counts_.tables.use(splits, reconvergence);
  }

  /// Adds its counts to those of a timed launch, if a block has started; of branches only the figures and PCs.
  void add_to(LaunchRecord& record) const;

 private:
  struct Branch {
    std::uint64_t executions = 0, divergent = 0, places = 0;
  };

  BranchCount branch(Pc pc) const;

  std::size_t code_size_;
  LaunchRecord counts_;                       // but for branches
  std::vector<Branch> branches_;              // by PC; empty before a block starts
  std::vector<std::uint64_t> lost_;           // lane-slots, likewise
  std::vector<CompactionCount> compactions_;  // likewise, before the first one
  std::vector<BranchPartings> partings_;      // by warp slot
};

}  // namespace warpfork::report
