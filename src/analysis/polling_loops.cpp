#include "analysis/polling_loops.h"

#include <algorithm>

#include "analysis/loop_blocks.h"

namespace warpfork::analysis {

namespace {

/// Whether a block of the loop polls in which control comes back from one block to the other.
bool polls(std::span<const Block> blocks, BlockId from, BlockId to) {
  const std::vector<bool> is_inside = loop_blocks(blocks, to, {from});
  if (!is_inside[to]) return false;
  for (BlockId block = 0; block < blocks.size(); ++block)
    if (is_inside[block] && blocks[block].polls) return true;
  return false;
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
