#include "analysis/cfg.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "analysis/meetings.h"
#include "analysis/movable.h"
#include "base/error.h"

namespace warpfork::analysis {

namespace {

const std::string* table_name(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (const auto* label = operand.as<ptx::LabelOperand>()) return &label->name;
    if (const auto* symbol = operand.as<ptx::SymbolOperand>()) return &symbol->name;
  }
  return nullptr;
}

std::vector<Pc> branch_table(const ptx::Function& function, const ptx::Instruction& instruction) {
  const std::string* name = table_name(instruction);
  const auto table = name ? function.branch_targets.find(*name) : function.branch_targets.end();
  if (table == function.branch_targets.end())
    throw Error("{}: line {}: error: brx.idx names no .branchtargets table of this function", function.name,
                instruction.location.line);
  std::vector<Pc> targets;
  for (const ptx::LabelOperand& label : table->second) targets.push_back(label.target);
  return targets;
}

std::vector<Pc> branch_target(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands)
    if (const auto* label = operand.as<ptx::LabelOperand>()) return {label->target};
  throw Error("{}: line {}: error: this branch has no label as its target", function.name, instruction.location.line);
}

/// Local memory is the thread's own: spilled registers lie there, and where threads meet must not depend on those.
bool computes_or_stores(const ptx::Instruction& instruction) {
  const bool reads_own = instruction.opcode == ptx::Opcode::Ld && instruction.space == ptx::StateSpace::Local;
  return is_pure(instruction) || reads_own || instruction.opcode == ptx::Opcode::St;
}

}  // namespace

Flow flow_after(const ptx::Function& function, Pc pc) {
  const ptx::Instruction& instruction = function.body[pc];
  Flow flow;
  flow.falls_through = instruction.guard.has_value();
  switch (instruction.opcode) {
    case ptx::Opcode::Bra:
      flow.targets = branch_target(function, instruction);
      break;
    case ptx::Opcode::Brx:
      flow.targets = branch_table(function, instruction);
      break;
    case ptx::Opcode::Ret:
    case ptx::Opcode::Exit:
    case ptx::Opcode::Trap:
      flow.exits = true;
      break;
    default:
      flow.falls_through = true;
      break;
  }
  return flow;
}

ControlFlowGraph::ControlFlowGraph(const ptx::Function& function) : block_of_(function.body.size()) {
  find_blocks(function);
  connect(function);
  match_calls(function);
}

void ControlFlowGraph::set_bounds(std::span<const Pc> firsts, Pc size) {
  block_of_.resize(size);
  for (BlockId id = 0; id < blocks_.size(); ++id) {
    blocks_[id].first = firsts[id];
    blocks_[id].last = id + 1 < blocks_.size() ? firsts[id + 1] : size;
    for (Pc pc = blocks_[id].first; pc < blocks_[id].last; ++pc) block_of_[pc] = id;
  }
}

void ControlFlowGraph::find_blocks(const ptx::Function& function) {
  const Pc size = static_cast<Pc>(function.body.size());
  std::vector<bool> is_leader(size + 1, false);
  is_leader[0] = true;
  for (Pc pc = 0; pc < size; ++pc) {
    const Flow flow = flow_after(function, pc);
    for (Pc target : flow.targets) is_leader[target] = true;
    if (flow.is_transfer()) is_leader[pc + 1] = true;
  }
  for (Pc pc = 0; pc < size; ++pc) {
    if (is_leader[pc]) blocks_.push_back({.first = pc, .last = pc, .successors = {}, .predecessors = {}});
    blocks_.back().last = pc + 1;
    blocks_.back().meets |= is_meeting(function.body[pc]);
    blocks_.back().waits |= waits_for_block(function.body[pc]);
    blocks_.back().names |= names_threads(function.body[pc]);
    blocks_.back().polls |= reads_of_others(function.body[pc]);
    block_of_[pc] = static_cast<BlockId>(blocks_.size() - 1);
  }
}

void ControlFlowGraph::connect(const ptx::Function& function) {
  for (BlockId id = 0; id < blocks_.size(); ++id) {
    const Flow flow = flow_after(function, blocks_[id].last - 1);
    blocks_[id].exits = flow.exits;
    blocks_[id].traps = function.body[blocks_[id].last - 1].opcode == ptx::Opcode::Trap;
    const bool all_exit = flow.exits && !flow.falls_through && flow.targets.empty();
    blocks_[id].only_exits = all_exit && blocks_[id].last == blocks_[id].first + 1;
    const auto before = std::span(function.body).subspan(blocks_[id].first, blocks_[id].last - blocks_[id].first - 1);
    blocks_[id].only_ends = all_exit && std::ranges::all_of(before, computes_or_stores);
    for (Pc target : flow.targets) add_edge(id, target);
    if (flow.falls_through) add_edge(id, blocks_[id].last);
  }
}

/// Those of which both branches are still there.
void ControlFlowGraph::match_calls(const ptx::Function& function) {
  struct Ends {
    std::optional<BlockId> call, back;
  };
  std::map<std::uint32_t, Ends> calls;
  for (BlockId id = 0; id < blocks_.size(); ++id) {
    const ptx::Instruction& last = function.body[blocks_[id].last - 1];
    if (last.call != 0) (last.guard ? calls[last.call].back : calls[last.call].call) = id;
  }
  for (const auto& [number, ends] : calls)
    if (ends.call && ends.back)
      calls_.push_back(
          {*ends.call, blocks_[*ends.call].successors.front(), *ends.back, blocks_[*ends.back].successors.front()});
}

void ControlFlowGraph::add_edge(BlockId from, Pc target) {
  if (target == block_of_.size()) {
    blocks_[from].exits = true;
    return;
  }
  const BlockId to = block_of_[target];
  std::vector<BlockId>& successors = blocks_[from].successors;
  if (std::find(successors.begin(), successors.end(), to) != successors.end()) return;
  successors.push_back(to);
  blocks_[to].predecessors.push_back(from);
}

}  // namespace warpfork::analysis
