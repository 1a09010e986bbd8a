// A launch of which some blocks are simulated in detail and the others executed only (docs/sampling.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"
#include "gpu/functional_run.h"
#include "gpu/launch_options.h"
#include "gpu/machine_spec.h"
#include "gpu/occupancy.h"
#include "gpu/sample_plan.h"
#include "report/launch_record.h"
#include "report/launch_statistics.h"
#include "report/sample_estimate.h"
#include "simt/launch.h"

namespace warpfork::gpu {

class Core;

/// Throws Error if a launch cannot be sampled under the machine's mechanism.
void require_sample_is_possible(const MachineSpec& machine, const SampleRequest& sample);

/// What has been counted on all cores since the launch began, up to and with this cycle, and what memory has counted.
report::LaunchRecord counted_so_far(const std::vector<std::unique_ptr<Core>>& cores,
                                    const report::LaunchStatistics& statistics, unsigned warp_size,
                                    const report::MemoryCounts& memory, Cycle now);

/// The block scheduler asks it for each block. Those between two batches are executed when their turn comes, one after
/// the other, in no time: cores stay full, and go from one batch to the next as from one wave to the next. What counts
/// is what happens while the counted blocks of a batch are dealt out.
class SampledRun {
 public:
  /// See counted_so_far().
  using Counted = std::function<report::LaunchRecord(Cycle now)>;

  /// A launch of which blocks fit on the cores as `fits` says, and which is simulated whole where no room is for
  /// batches, or where a block may wait for another one: that may not have come so far. Accesses of blocks that are
  /// only executed pass through the caches, of which these cores have theirs in turn.
  SampledRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
             const Occupancy& fits, const std::vector<std::unique_ptr<Core>>& cores, Counted counted);

  /// The block scheduler comes to block `next` in this cycle: the number of the one that it is to deal out.
  std::uint64_t next_block(std::uint64_t next, Cycle now);
  /// What was simulated in detail, which the record holds, becomes an estimate of the launch.
  void fill(report::LaunchRecord& record) const;

 private:
  report::SampledCounts sampled_counts(const report::LaunchRecord& all, const report::LaunchRecord& detailed) const;
  std::uint64_t size(const report::LaunchRecord& record) const;
  report::SampledPart part(const report::LaunchRecord& begin, const report::LaunchRecord& end) const;

  /// Of a batch, when its first block was dealt out, when its first counted one was, and when the last one had been.
  struct Window {
    report::LaunchRecord begin, counted, end;
  };

  bool masks_depend_on_time_;
  std::uint64_t blocks_;
  report::SampleCount sample_;
  std::vector<SampleBatch> plan_;
  std::size_t at_ = 0;           // in the plan
  std::vector<Window> windows_;  // of the plan's batches so far
  const std::vector<std::unique_ptr<Core>>& cores_;
  Core* core_ = nullptr;  // that would have the block which is executed
  Counted counted_;
  FunctionalBlocks between_;
};

}  // namespace warpfork::gpu
