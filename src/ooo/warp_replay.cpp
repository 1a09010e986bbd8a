#include "ooo/warp_replay.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace warpfork::ooo {

WarpReplay::WarpReplay(std::span<ThreadWindow> threads, unsigned first_lane, Synchronisation& synchronisation)
    : threads_(threads), first_lane_(first_lane), synchronisation_(synchronisation) {
  for (unsigned lane = 0; lane < threads_.size(); ++lane)
    if (threads_[lane].at(0) != nullptr) running_ |= LaneMask{1} << lane;
}

void WarpReplay::begin(LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    threads_[lane] = ThreadWindow(synchronisation_.begin(first_lane_ + lane));
    next_[lane] = committed_[lane] = passed_[lane] = 0;
    events_passed_[lane] = 0;
  });
  running_ |= lanes;
}

/// One event after the other, as far as it goes.
LaneMask WarpReplay::pass_events(LaneMask lanes) {
  LaneMask ready = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::vector<x86::SyncEvent>& events = next(lane)->events;
    if (!events.empty() && passed_[lane] <= next_[lane]) {
      if (committed_[lane] != next_[lane]) return;
      for (; events_passed_[lane] < events.size(); ++events_passed_[lane], ++events_)
        if (!synchronisation_.passes(first_lane_ + lane, events[events_passed_[lane]])) return;
      events_passed_[lane] = 0;
      passed_[lane] = next_[lane] + 1;
    }
    ready |= LaneMask{1} << lane;
  });
  return ready;
}

void WarpReplay::end(LaneMask lanes) {
  running_ &= ~lanes;
  for_each_lane(lanes, [&](unsigned lane) { synchronisation_.ended(first_lane_ + lane); });
}

std::string WarpReplay::describe() const {
  std::string text;
  for_each_lane(running_, [&](unsigned lane) {
    const Recorded* const next = threads_[lane].at(committed_[lane]);
    text += fmt::format("thread {}: {} done, {}", synchronisation_.recorded_thread(first_lane_ + lane),
                        counted(committed_[lane], "instruction"),
                        next == nullptr ? "at its end" : fmt::format("next at {:x}", next->instruction->pc));
    if (next != nullptr && passed_[lane] <= committed_[lane] && events_passed_[lane] < next->events.size())
      text += fmt::format(", before it {}", x86::describe(next->events[events_passed_[lane]]));
    text += '\n';
  });
  return text;
}

}  // namespace warpfork::ooo
