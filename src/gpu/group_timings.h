// How long groups of threads keep the units of a temporal lane.
#pragma once

#include <array>

#include "gpu/core_spec.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// A lane has its share of the arithmetic units, so that a group takes interval · ALUs / (warp · units) cycles; the
/// special-function units are there for one thread at a time of any lane. What is left of the latency is depth.
class GroupTimings {
 public:
  /// In cycles, as in LaneInstruction.
  struct Timing {
    unsigned interval = 1, depth = 0, special = 0;
  };

  explicit GroupTimings(const CoreSpec& spec);

  const Timing& of(simt::TimingClass timing) const { return timings_[static_cast<unsigned>(timing)]; }
  /// From a group's entry to its result, at most, if it is not kept in the units.
  unsigned longest() const;

 private:
  std::array<Timing, static_cast<unsigned>(simt::TimingClass::kCount)> timings_;
};

}  // namespace warpfork::gpu
