// What a launch's options ask to be counted beside its statistics: listeners that are there only where they are asked
// for.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "gpu/activity_census.h"
#include "gpu/instruction_limit.h"
#include "gpu/interval_census.h"
#include "gpu/launch_options.h"
#include "gpu/line_census.h"
#include "gpu/machine_spec.h"
#include "gpu/race_check.h"
#include "report/launch_record.h"
#include "report/listener_pair.h"

namespace warpfork::gpu {

class Censuses {
 public:
  struct Rest {
    report::MemoryCounts memory;
    std::uint64_t flits = 0;  // that the interconnect carried
  };

  /// `rest`: what was counted elsewhere since the launch began.
  Censuses(const MachineSpec& spec, const simt::Launch& launch, const LaunchOptions& options,
           std::function<Rest()> rest);
  Censuses(const Censuses&) = delete;
  Censuses& operator=(const Censuses&) = delete;

  /// Whoever hears beside the statistics, the listener of the options too; null = nobody.
  report::LaunchListener* listener() { return listener_; }
  /// Whether the launch has issued more warp instructions than the options allow.
  bool is_past_limit() const { return limit_ && limit_->is_exceeded(); }

  /// Of a launch that has ended, with its cycles.
  void fill(report::LaunchRecord& record);

 private:
  void add(report::LaunchListener& listener);

  std::function<Rest()> rest_;
  std::optional<ActivityCensus> activity_;
  std::optional<LineCensus> lines_;
  std::optional<IntervalCensus> intervals_;
  std::optional<RaceCheck> races_;
  std::optional<InstructionLimit> limit_;
  std::deque<report::ListenerPair> pairs_;
  report::LaunchListener* listener_;
};

}  // namespace warpfork::gpu
