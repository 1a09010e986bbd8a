// What a machine description may set for its divergence mechanism.
#pragma once

namespace warpfork {

/// [divergence] in the machine file.
struct DivergenceSpec {
  /// Splits of one warp that may issue at a time; 0 = no limit (multi-path family only; MULTIPATH section 5).
  unsigned max_splits = 0;
};

}  // namespace warpfork
