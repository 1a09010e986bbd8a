// Where a basic block stands in the order in which those should run where threads of a warp have parted.
#pragma once

#include <cstdint>

namespace warpfork {

/// Found by analysis::frontier_order().
struct FrontierPlace {
  std::uint32_t number = 0;              ///< lower ones run first; no two blocks have the same
  std::uint32_t enters = 0, leaves = 0;  ///< of a walk through the tree of postdominators: see comes_to()
  bool begins_polling = false;           ///< a loop in which threads may wait for what others do

  /// Whether all threads at this block must come to the other one: it is a postdominator.
  bool comes_to(const FrontierPlace& other) const { return other.enters < enters && leaves < other.leaves; }
};

}  // namespace warpfork
