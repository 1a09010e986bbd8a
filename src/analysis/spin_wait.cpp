#include "analysis/spin_wait.h"

#include <algorithm>
#include <vector>

#include "analysis/meetings.h"
#include "analysis/register_set.h"
#include "analysis/register_use.h"

namespace warpfork::analysis {

namespace {

/// In memory that threads of other blocks reach.
bool reads_of_other_blocks(const ptx::Instruction& instruction) {
  const bool is_shared_by_blocks =
      instruction.space == ptx::StateSpace::Global || instruction.space == ptx::StateSpace::Generic;
  return is_shared_by_blocks && reads_of_others(instruction);
}

/// By block, whether a way of at least one edge leads there from `start`: forwards, or backwards.
std::vector<bool> reached(const ControlFlowGraph& graph, BlockId start, std::vector<BlockId> Block::*edges) {
  std::vector<bool> reached(graph.blocks().size());
  std::vector<BlockId> rest = {start};
  while (!rest.empty()) {
    const BlockId from = rest.back();
    rest.pop_back();
    for (const BlockId to : graph.blocks()[from].*edges)
      if (!reached[to]) {
        reached[to] = true;
        rest.push_back(to);
      }
  }
  return reached;
}

/// Registers that follow from what the instruction writes, wherever in the function.
RegisterSet followers(const ptx::Function& function, const ptx::Instruction& source) {
  RegisterSet known(function.registers.size());
  for (const ptx::RegisterId id : registers_of(source).writes) known.insert(id);
  for (bool grows = true; grows;) {
    grows = false;
    for (const ptx::Instruction& instruction : function.body) {
      const RegisterUse use = registers_of(instruction);
      if (std::ranges::none_of(use.reads, [&](ptx::RegisterId id) { return known.contains(id); })) continue;
      for (const ptx::RegisterId id : use.writes) {
        grows |= !known.contains(id);
        known.insert(id);
      }
    }
  }
  return known;
}

bool decides_its_loop(const ptx::Function& function, const ControlFlowGraph& graph, Pc source) {
  const BlockId home = graph.block_of(source);
  const std::vector<bool> after = reached(graph, home, &Block::successors);
  if (!after[home]) return false;
  const std::vector<bool> before = reached(graph, home, &Block::predecessors);
  const RegisterSet known = followers(function, function.body[source]);
  for (BlockId block = 0; block < graph.blocks().size(); ++block) {
    const Pc last = graph.blocks()[block].last - 1;
    if (!after[block] || !before[block] || !flow_after(function, last).is_transfer()) continue;
    const RegisterUse use = registers_of(function.body[last]);
    if (std::ranges::any_of(use.reads, [&](ptx::RegisterId id) { return known.contains(id); })) return true;
  }
  return false;
}

}  // namespace

bool may_wait_for_others(const ptx::Function& function, const ControlFlowGraph& graph) {
  for (Pc pc = 0; pc < function.body.size(); ++pc)
    if (reads_of_other_blocks(function.body[pc]) && decides_its_loop(function, graph, pc)) return true;
  return false;
}

}  // namespace warpfork::analysis
