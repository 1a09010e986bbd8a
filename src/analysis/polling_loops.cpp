#include "analysis/polling_loops.h"

#include <algorithm>

namespace warpfork::analysis {

namespace {

/// Whether a block of the loop polls in which control comes back from one block to the other.
bool polls(std::span<const Block> blocks, BlockId from, BlockId to) {
  std::vector<bool> is_inside(blocks.size(), false);
  bool polls = false;
  for (std::vector<BlockId> found{from}; !found.empty();) {
    const BlockId block = found.back();
    found.pop_back();
    if (is_inside[block]) continue;
    is_inside[block] = true;
    polls |= blocks[block].polls;
    const std::vector<BlockId>& before = blocks[block].predecessors;
    if (block != to) found.insert(found.end(), before.begin(), before.end());
  }
  return polls && is_inside[to];
}

}  // namespace

std::vector<bool> begin_polling_loops(std::span<const Block> blocks) {
  std::vector<bool> begin(blocks.size(), false);
  if (std::ranges::none_of(blocks, &Block::polls)) return begin;
  for (BlockId from = 0; from < blocks.size(); ++from)
    for (const BlockId to : blocks[from].successors)
      if (to <= from) begin[to] = begin[to] || polls(blocks, from, to);
  return begin;
}

}  // namespace warpfork::analysis
