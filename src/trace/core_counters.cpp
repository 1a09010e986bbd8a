#include "trace/core_counters.h"

#include <algorithm>

#include "report/ratio.h"

namespace warpfork::trace {

using report::ratio;

CoreCounters::Sample& CoreCounters::at(Cycle now) {
  const Cycle begin = now - now % window_;
  if (samples_.empty()) samples_.push_back({begin});
  while (samples_.back().begin < begin) samples_.push_back({samples_.back().begin + window_});
  return samples_[(begin - samples_.front().begin) / window_];
}

/// add(sample, cycles of it) for each stretch that [from, from + cycles) touches.
template <class Add>
void CoreCounters::spread(Cycle from, Cycle cycles, Add&& add) {
  write_before(from);
  while (cycles > 0) {
    const Cycle here = std::min(cycles, window_ - from % window_);
    add(at(from), here);
    from += here;
    cycles -= here;
  }
}

void CoreCounters::issued(Cycle now, unsigned threads) {
  write_before(now);
  Sample& sample = at(now);
  ++sample.issues;
  sample.threads += threads;
}

void CoreCounters::stalled(Cycle from, Cycle cycles, report::StallCause cause) {
  spread(from, cycles, [&](Sample& sample, Cycle here) { sample.stalls[static_cast<unsigned>(cause)] += here; });
}

void CoreCounters::occupied(Cycle from, Cycle cycles, unsigned live_warps) {
  spread(from, cycles, [&](Sample& sample, Cycle here) { sample.warp_cycles += live_warps * here; });
}

/// Stretches that are over: whatever is told from here on is later.
void CoreCounters::write_before(Cycle now) {
  for (; !samples_.empty() && samples_.front().begin + window_ <= now; samples_.pop_front())
    write(samples_.front(), window_);
}

void CoreCounters::write(const Sample& sample, Cycle cycles) {
  const Cycle at = sample.begin;
  set(at, "IPC", fmt::format(R"("threads":{:.3f})", ratio(sample.threads, cycles)));
  set(at, "active lanes", fmt::format(R"("of an issue":{:.3f})", ratio(sample.threads, sample.issues)));
  set(at, "live warps", fmt::format(R"("warps":{:.3f})", ratio(sample.warp_cycles, cycles)));
  std::string stalls;
  for (unsigned cause = 0; cause < report::kStallCauses; ++cause)
    stalls +=
        fmt::format(R"({}"{}":{})", cause == 0 ? "" : ",", report::kStallCauseKeys[cause].name, sample.stalls[cause]);
  set(at, "stall cycles", stalls);
  if (in_flight_ != nullptr)
    set(at, "answers awaited from memory", fmt::format(R"("transactions":{})", in_flight_->awaited()));
}

void CoreCounters::set(Cycle at, const char* name, std::string arguments) {
  std::string& last = last_[name];
  if (last == arguments) return;
  writer_.counter(process_, at, name, arguments);
  last = std::move(arguments);
}

void CoreCounters::finish(Cycle now) {
  for (; !samples_.empty(); samples_.pop_front()) {
    const Cycle begin = samples_.front().begin;
    write(samples_.front(), std::clamp<Cycle>(now - std::min(now, begin), 1, window_));
  }
  in_flight_ = nullptr;
  if (last_.contains("answers awaited from memory")) set(now, "answers awaited from memory", R"("transactions":0)");
  write({now}, window_);
}

}  // namespace warpfork::trace
