#include "gpu/instruction_timings.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "gpu/completion_wheel.h"

namespace warpfork::gpu {

namespace {

Port port_of(const UnitTimingSpec& timing, std::string_view name) {
  if (timing.unit == "sp") return Port::Sp;
  if (timing.unit == "sfu") return Port::Sfu;
  throw Error("core.execution.{}.unit: there is no unit '{}'; known: sp, sfu", name, timing.unit);
}

static_assert(kLongestTiming == CompletionWheel::kSlots - 3);

/// For a warp of other threads than those that they are for.
UnitTimingSpec scaled(UnitTimingSpec timing, unsigned warp_size, unsigned warp_threads) {
  if (warp_size == warp_threads) return timing;
  const unsigned depth = timing.latency > timing.interval ? timing.latency - timing.interval : 0;
  timing.interval = std::max(1u, (timing.interval * warp_size + warp_threads / 2) / warp_threads);
  timing.latency = depth + timing.interval;
  return timing;
}

/// The largest product of matrices ends after the longest latency at the latest.
UnitTimingSpec ending_in_time(UnitTimingSpec timing, simt::TimingClass of_class) {
  const unsigned steps = simt::most_steps_of(of_class);
  if (simt::multiply_adds_of(of_class) == 1) return timing;
  timing.interval = std::min(timing.interval, kLongestTiming / steps);
  timing.latency = std::min(timing.latency, kLongestTiming - timing.interval * (steps - 1));
  return timing;
}

}  // namespace

InstructionTimings::InstructionTimings(const ExecutionSpec& spec, unsigned warp_size) {
  if (spec.warp_threads == 0) throw Error("core.execution.warp_threads is 0; it must be at least 1");
  for (unsigned i = 0; i < timings_.size(); ++i) {
    const auto timing = static_cast<simt::TimingClass>(i);
    const UnitTimingSpec given = ending_in_time(spec.of(timing), timing);
    if (std::min(given.latency, given.interval) == 0 || std::max(given.latency, given.interval) > kLongestTiming)
      throw Error("core.execution.{}: latency is {} and interval {}; they must be from 1 to {}", to_string(timing),
                  given.latency, given.interval, kLongestTiming);
    const UnitTimingSpec of_warp = ending_in_time(scaled(given, warp_size, spec.warp_threads), timing);
    const unsigned longest = std::max(of_warp.latency, of_warp.interval);
    if (longest > kLongestTiming)
      throw Error(
          "core.execution.{}: for core.execution.warp_threads = {}, so that a warp of core.warp_size = {} would take "
          "{} cycles; at most {} are allowed",
          to_string(timing), spec.warp_threads, warp_size, longest, kLongestTiming);
    timings_[i] = {timing == simt::TimingClass::Memory ? Port::Memory : port_of(given, to_string(timing)),
                   static_cast<std::uint16_t>(of_warp.latency), static_cast<std::uint16_t>(of_warp.interval)};
  }
}

}  // namespace warpfork::gpu
