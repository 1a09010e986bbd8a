// Which values of a warp may be kept once (STSIMT section 4.2).
#pragma once

#include <cstdint>

namespace warpfork::analysis {

/// Each asks more than the one before it.
enum class ScalarRule : std::uint8_t {
  /// Also where threads have parted, if the value is dead where they meet: for machines on which one side of a branch
  /// runs after the other (STSIMT).
  Divergent,
  /// Likewise, if no other side of the branch has to do with the register: for machines on which sides run at the same
  /// time (docs/adr/0027).
  DivergentAtOnce,
  /// Only where the warp's threads are sure to be together (Lee et al., CGO 2013).
  ConvergentOnly,
};

}  // namespace warpfork::analysis
