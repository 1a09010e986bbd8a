#include "analysis/influence_region.h"

namespace warpfork::analysis {

namespace {

/// None if it starts where all meet.
std::vector<BlockId> blocks_of_side(const ControlFlowGraph& graph, BlockId start, std::optional<BlockId> meets) {
  std::vector<BlockId> found;
  std::vector<bool> seen(graph.blocks().size(), false);
  const auto visit = [&](BlockId block) {
    if (seen[block] || block == meets) return;
    seen[block] = true;
    found.push_back(block);
  };
  visit(start);
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const BlockId successor : graph.blocks()[found[next]].successors) visit(successor);
  return found;
}

}  // namespace

std::vector<std::vector<BlockId>> blocks_of_sides(const ControlFlowGraph& graph, const Postdominators& postdominators,
                                                  BlockId block) {
  std::vector<std::vector<BlockId>> sides;
  for (const BlockId start : graph.blocks()[block].successors)
    sides.push_back(blocks_of_side(graph, start, postdominators.immediate(block)));
  return sides;
}

InfluenceRegion influence_region(const ControlFlowGraph& graph, const Postdominators& postdominators,
                                 const Liveness& liveness, std::size_t registers, BlockId block) {
  const Block& parting = graph.blocks()[block];
  InfluenceRegion region{parting.last - 1, postdominators.immediate(block), {}};
  for (const BlockId start : parting.successors) {
    BranchSide side{start, blocks_of_side(graph, start, region.meets), RegisterSet(registers), RegisterSet(registers)};
    for (const BlockId inside : side.blocks)
      for (Pc pc = graph.blocks()[inside].first; pc < graph.blocks()[inside].last; ++pc) {
        for (const ptx::RegisterId id : liveness.uses(pc).writes) side.written.insert(id);
        for (const ptx::RegisterId id : liveness.uses(pc).reads) side.mentioned.insert(id);
      }
    side.mentioned |= side.written;
    region.sides.push_back(std::move(side));
  }
  return region;
}

}  // namespace warpfork::analysis
