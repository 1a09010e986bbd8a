#include "gpu/instruction_timings.h"

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

}  // namespace

InstructionTimings::InstructionTimings(const ExecutionSpec& spec) {
  for (unsigned i = 0; i < timings_.size(); ++i) {
    const auto timing = static_cast<simt::TimingClass>(i);
    const UnitTimingSpec& of_class = spec.of(timing);
    if (of_class.latency == 0 || of_class.interval == 0 || of_class.latency > CompletionWheel::kSlots - 3)
      throw Error("core.execution.{}: latency and interval must be at least 1, the latency at most {}",
                  to_string(timing), CompletionWheel::kSlots - 3);
    timings_[i] = {timing == simt::TimingClass::Memory ? Port::Memory : port_of(of_class, to_string(timing)),
                   static_cast<std::uint16_t>(of_class.latency), static_cast<std::uint16_t>(of_class.interval)};
  }
}

}  // namespace warpfork::gpu
