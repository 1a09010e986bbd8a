// What block-wide compaction has done at a branch at one time (CAPRI section IV).
#pragma once

#include "divergence/warp_split.h"

namespace warpfork {

/// Warps that have waited for each other at a branch go on, or a warp that diverged there and did not wait, as the
/// predictor advised, or what compaction would have needed if such warps had waited (`bypassed` of them).
struct Compaction {
  Pc branch = 0;
  WarpSet waited;       // places whose warps met
  bool parted = false;  // threads went different ways; else the warps go on as they were
  /// If so, summed over the sides that have to run: warps with threads there, and warps that they fill now.
  unsigned before = 0, after = 0;
  unsigned bypassed = 0;

  /// Whether fewer warps were or would have been needed: what the predictor learns.
  bool paid() const { return after < before; }
};

}  // namespace warpfork
