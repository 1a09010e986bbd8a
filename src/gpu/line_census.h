// Counts for each instruction of a kernel what it costs (docs/why-slow.md).
#pragma once

#include <vector>

#include "gpu/awaited_loads.h"
#include "gpu/machine_spec.h"
#include "gpu/transaction_generator.h"
#include "report/launch_listener.h"
#include "report/line_count.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Hears all cores of one launch. What a memory instruction sends it works out once more, so that a core that nobody
/// asks keeps nothing for it.
class LineCensus final : public report::LaunchListener {
 public:
  LineCensus(const MachineSpec& spec, const simt::Launch& launch);

  void core_began(const report::CoreEvent& event) override { cores_[event.core] = event; }
  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }
  /// Entries that the cause holds back share the cycles; which of them has one more goes round with time. So do the
  /// loads that one of them waits for.
  void stalled(report::Stamp at, report::StallCause cause, Cycle cycles) override;
  bool observes_stalls() const override { return true; }
  void missed(report::Stamp at, const InFlight& load) override;
  bool observes_misses() const override { return true; }

  report::LineCounts counts() const;

 private:
  void count_access(const report::IssueEvent& event, report::LineCount& line);

  const simt::Program& program_;
  unsigned warp_size_;
  bool has_temporal_lanes_;
  TransactionGenerator transactions_;
  InFlight scratch_;
  AwaitedLoads awaited_;
  std::vector<unsigned> held_;            // entries
  std::vector<report::CoreEvent> cores_;  // by number
  std::vector<report::LineCount> lines_;  // by PC
};

}  // namespace warpfork::gpu
