#include "analysis/loop_blocks.h"

namespace warpfork::analysis {

std::vector<bool> loop_blocks(std::span<const Block> blocks, BlockId begin, std::vector<BlockId> ends) {
  std::vector<bool> is_inside(blocks.size(), false);
  while (!ends.empty()) {
    const BlockId block = ends.back();
    ends.pop_back();
    if (is_inside[block]) continue;
    is_inside[block] = true;
    const std::vector<BlockId>& before = blocks[block].predecessors;
    if (block != begin) ends.insert(ends.end(), before.begin(), before.end());
  }
  return is_inside;
}

}  // namespace warpfork::analysis
