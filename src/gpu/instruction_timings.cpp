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

constexpr unsigned kLongest = CompletionWheel::kSlots - 3;  // latency

/// The largest product of matrices ends after the longest latency at the latest.
UnitTimingSpec ending_in_time(UnitTimingSpec timing, simt::TimingClass of_class) {
  const unsigned steps = simt::most_steps_of(of_class);
  if (simt::multiply_adds_of(of_class) == 1) return timing;
  timing.interval = std::min(timing.interval, kLongest / steps);
  timing.latency = std::min(timing.latency, kLongest - timing.interval * (steps - 1));
  return timing;
}

}  // namespace

InstructionTimings::InstructionTimings(const ExecutionSpec& spec, unsigned warp_size) {
  if (spec.warp_threads == 0) throw Error("core.execution.warp_threads is 0; it must be at least 1");
  for (unsigned i = 0; i < timings_.size(); ++i) {
    const auto timing = static_cast<simt::TimingClass>(i);
    const UnitTimingSpec of_class = ending_in_time(spec.of(timing), timing);
    if (of_class.latency == 0 || of_class.interval == 0 || of_class.latency > kLongest)
      throw Error("core.execution.{}: latency and interval must be at least 1, the latency at most {}",
                  to_string(timing), kLongest);
    const unsigned interval = std::max(1u, (of_class.interval * warp_size + spec.warp_threads / 2) / spec.warp_threads);
    const unsigned depth = of_class.latency > of_class.interval ? of_class.latency - of_class.interval : 0;
    const unsigned latency = warp_size == spec.warp_threads ? of_class.latency : depth + interval;
    timings_[i] = {timing == simt::TimingClass::Memory ? Port::Memory : port_of(of_class, to_string(timing)),
                   static_cast<std::uint16_t>(latency), static_cast<std::uint16_t>(interval)};
  }
}

}  // namespace warpfork::gpu
