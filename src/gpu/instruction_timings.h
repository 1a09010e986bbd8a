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
  /// Of warps of so many threads: they keep a unit for as much longer or shorter as they have more or fewer threads
  /// than the times are for, a cycle at least, and get their results as much later or earlier. Throws Error that names
  /// the key if there is no such unit, or a time that no unit can have.
  InstructionTimings(const ExecutionSpec& spec, unsigned warp_size);

  const InstructionTiming& of(simt::TimingClass timing) const { return timings_[static_cast<unsigned>(timing)]; }

 private:
  std::array<InstructionTiming, static_cast<unsigned>(simt::TimingClass::kCount)> timings_;
};

}  // namespace warpfork::gpu
