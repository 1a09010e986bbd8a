// Threads that enter one temporal lane, counted over time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/group_stream.h"
#include "report/lane_timeline.h"

namespace warpfork::gpu {

/// Those of streams, whose entry is known before, once they have entered.
class LaneEntries {
 public:
  explicit LaneEntries(unsigned lane) : lane_(lane) {}

  /// From now on they are added to this; null = nobody wants to know.
  void count_in(report::LaneTimeline* timeline) {
    timeline_ = timeline;
    coming_.clear();
  }
  bool counts() const { return timeline_ != nullptr; }

  void entered(std::uint64_t threads, Cycle now) {
    if (counts()) timeline_->add(lane_, static_cast<unsigned>(std::popcount(threads)), now);
  }
  /// The groups of the stream will, group i as the i-th of `threads` says: called as threads(i).
  template <class Threads>
  void will_enter(const GroupStream& stream, Threads&& threads) {
    if (!counts()) return;
    for (unsigned i = 0; i < stream.groups; ++i) coming_.push_back({stream.number, i, stream.enters + i, threads(i)});
  }
  /// They will not, but for the first so many of them.
  void take_back(const GroupStream& stream, unsigned kept) {
    std::erase_if(coming_, [&](const Group& group) { return group.stream == stream.number && group.ordinal >= kept; });
  }
  /// Counts those that have entered before this cycle.
  void settle(Cycle now) {
    std::erase_if(coming_, [&](const Group& group) {
      if (group.enters < now) entered(group.threads, group.enters);
      return group.enters < now;
    });
  }

 private:
  struct Group {
    unsigned stream, ordinal;
    Cycle enters;
    std::uint64_t threads;
  };
  unsigned lane_;
  report::LaneTimeline* timeline_ = nullptr;
  std::vector<Group> coming_;
};

}  // namespace warpfork::gpu
