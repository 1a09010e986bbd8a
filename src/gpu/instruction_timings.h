// Where each class of instruction executes, and for how long: what a machine file says of it, checked.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/in_flight.h"
#include "gpu/unit_timing_spec.h"

namespace warpfork::gpu {

struct InstructionTiming {
  Port port = Port::Sp;
  std::uint16_t latency = 1;   // core cycles, from the unit's entry to the result bus
  std::uint16_t interval = 1;  // for which a warp's instruction keeps the unit's entry taken
};

class InstructionTimings {
 public:
  /// Throws Error that names the key if there is no such unit, or a time that no unit can have.
  explicit InstructionTimings(const ExecutionSpec& spec);

  const InstructionTiming& of(simt::TimingClass timing) const { return timings_[static_cast<unsigned>(timing)]; }

 private:
  std::array<InstructionTiming, static_cast<unsigned>(simt::TimingClass::kCount)> timings_;
};

}  // namespace warpfork::gpu
