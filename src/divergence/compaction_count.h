// What block-wide compaction has done at one branch (CAPRI section IV).
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpfork {

/// Counted since the domain was made, over all blocks that it has run.
struct CompactionCount {
  Pc branch = 0;
  std::uint64_t waited = 0;    // warps that waited for others and were then sent different ways with them
  std::uint64_t bypassed = 0;  // warps that diverged and did not wait, as the predictor advised
  std::uint64_t right = 0;     // compactions that were waited for and needed fewer warps
  std::uint64_t wrong = 0;     // compactions that were waited for in vain
  std::uint64_t warps_before =
      0;  // of these compactions, summed over the sides that had to run: warps with threads there
  std::uint64_t warps_after = 0;  // and compacted warps
};

}  // namespace warpfork
