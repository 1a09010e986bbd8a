// Names of paths, and what the µops that begin and end paths carry (SIMT-X 3.3 and 3.5).
#pragma once

#include <cstdint>

namespace warpfork::ooo {

/// Index into the warp's Pathtable: h0, h1, … Reused after the path is evicted.
using PathId = std::uint8_t;
inline constexpr PathId kNoPath = 255;

/// Carried by a branch µop (buop): h_created ← h_from ∧ c and, if the branch turns out to diverge (or to go the other
/// way), h_alternate ← h_from ∧ ¬c.
struct Divergence {
  PathId from = kNoPath, created = kNoPath, alternate = kNoPath;
};

/// Carried by a convergence µop (cuop): h_created ← h_first ∨ h_second.
struct Convergence {
  PathId first = kNoPath, second = kNoPath, created = kNoPath;
};

}  // namespace warpfork::ooo
