// Statistics of one launch: those of each core, summed when it has ended.
#pragma once

#include <vector>

#include "report/core_statistics.h"
#include "report/listener_pair.h"

namespace warpfork::report {

class LaunchStatistics {
 public:
  /// For a kernel of `code_size` instructions on a machine of `cores` cores with `warps` warp slots each. `other`, if
  /// there is one, hears of all cores, too.
  LaunchStatistics(std::size_t code_size, unsigned cores, unsigned warps, LaunchListener* other = nullptr);
  LaunchStatistics(const LaunchStatistics&) = delete;
  LaunchStatistics& operator=(const LaunchStatistics&) = delete;

  /// What the core is to tell its events.
  LaunchListener& of_core(unsigned core);

  /// Puts the counts of all cores, in their order, into the record of a timed launch.
  void fill(LaunchRecord& record) const;

 private:
  std::vector<CoreStatistics> cores_;
  std::vector<ListenerPair> pairs_;  // by core, of its statistics and the other listener; empty = there is none
};

}  // namespace warpfork::report
