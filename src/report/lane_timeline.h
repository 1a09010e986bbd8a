// How busy each lane of a core was, over time (STSIMT Figure 6).
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpfork::report {

/// Threads that entered each lane, by window of time. Windows grow with the launch, so that there are never more than
/// kWindows.
class LaneTimeline {
 public:
  static constexpr std::size_t kWindows = 128;

  void add(unsigned lane, unsigned threads, Cycle now);
  bool empty() const { return lanes_.empty(); }
  Cycle window() const { return window_; }
  /// By window, up to the last one in which a thread entered the lane.
  const std::vector<std::uint32_t>& threads(unsigned lane) const { return lanes_[lane]; }

  /// Thread instructions a cycle, by lane and window; as many windows in each.
  std::vector<std::vector<double>> ipc() const;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.note("core", 0u, "index", "of the core whose lanes they are");
    v.fact("window", window_, "core cycles", "that a window is long; windows grow with the launch, 128 at most");
    v.hidden("threads", lanes_);
    v.note("ipc", ipc(), "thread instructions per cycle", "that entered each lane, by window");
  }

 private:
  void widen();

  Cycle window_ = 64;
  std::vector<std::vector<std::uint32_t>> lanes_;
};

}  // namespace warpfork::report
