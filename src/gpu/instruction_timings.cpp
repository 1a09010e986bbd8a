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

/// Multiply-adds in place of the largest product of matrices would often take longer than anything may.
UnitTimingSpec ending_in_time(UnitTimingSpec timing, unsigned steps) {
  timing.interval = std::min(timing.interval, kLongestTiming / steps);
  timing.latency = std::min(timing.latency, kLongestTiming - timing.interval * (steps - 1));
  return timing;
}

/// From the entry of an instruction, or of so many pieces one behind the other, until it has left the unit.
unsigned longest_of(const UnitTimingSpec& timing, unsigned steps) {
  return std::max(timing.latency, timing.interval) + timing.interval * (steps - 1);
}

void require_given(const UnitTimingSpec& given, std::string_view name, unsigned steps) {
  if (std::min(given.latency, given.interval) == 0 || std::max(given.latency, given.interval) > kLongestTiming)
    throw Error("core.execution.{}: latency is {} and interval {}; they must be from 1 to {}", name, given.latency,
                given.interval, kLongestTiming);
  if (const unsigned longest = longest_of(given, steps); longest > kLongestTiming)
    throw Error(
        "core.execution.{}: latency is {} and interval {}, so that the largest product of matrices, {} of the "
        "smallest, "
        "would take {} cycles; at most {} are allowed",
        name, given.latency, given.interval, steps, longest, kLongestTiming);
}

}  // namespace

InstructionTimings::InstructionTimings(const ExecutionSpec& spec, unsigned warp_size) {
  if (spec.warp_threads == 0) throw Error("core.execution.warp_threads is 0; it must be at least 1");
  for (unsigned i = 0; i < timings_.size(); ++i) {
    const auto timing = static_cast<simt::TimingClass>(i);
    const unsigned steps = simt::most_steps_of(timing);
    const bool ends_in_time = !spec.gives(timing);
    const UnitTimingSpec given = ends_in_time ? ending_in_time(spec.of(timing), steps) : spec.of(timing);
    require_given(given, to_string(timing), steps);
    UnitTimingSpec of_warp = scaled(given, warp_size, spec.warp_threads);
    if (ends_in_time) of_warp = ending_in_time(of_warp, steps);
    if (const unsigned longest = longest_of(of_warp, steps); longest > kLongestTiming)
      throw Error(
          "core.execution.{}: for core.execution.warp_threads = {}, so that a warp of core.warp_size = {} would take "
          "{} cycles; at most {} are allowed",
          to_string(timing), spec.warp_threads, warp_size, longest, kLongestTiming);
    timings_[i] = {timing == simt::TimingClass::Memory ? Port::Memory : port_of(given, to_string(timing)),
                   static_cast<std::uint16_t>(of_warp.latency), static_cast<std::uint16_t>(of_warp.interval)};
  }
}

}  // namespace warpfork::gpu
