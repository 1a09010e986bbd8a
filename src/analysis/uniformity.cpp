#include "analysis/uniformity.h"

#include <algorithm>

namespace warpfork::analysis {

using Kind = VectorCause::Kind;

Uniformity::Uniformity(const ptx::Function& function, const ControlFlowGraph& graph, const Liveness& liveness,
                       const UniformityOptions& options)
    : function_(&function),
      graph_(&graph),
      postdominators_(graph, options.leavers),
      liveness_(&liveness),
      rule_(options.rule),
      given_{options.rows_fill_warps, !makes_local_generic(function)},
      instructions_(function.body.size()),
      registers_(function.registers.size()) {
  std::vector<bool> parted(graph.blocks().size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (Pc pc = 0; pc < function.body.size(); ++pc) changed |= classify(pc);
    for (BlockId block = 0; block < parted.size(); ++block) {
      if (parted[block] || !is_divergent(block)) continue;
      parted[block] = changed = true;
      part_at(block);
    }
  }
}

/// Step 3. True if it has found something.
bool Uniformity::classify(Pc pc) {
  bool found = false;
  if (is_scalar_instruction(pc)) {
    instructions_[pc] = cause_of(pc);
    found = !is_scalar_instruction(pc);
  }
  if (is_scalar_instruction(pc) || shares_result(pc)) return found;
  for (const ptx::RegisterId id : liveness_->uses(pc).writes) found |= mark(id, {.kind = Kind::Written, .pc = pc});
  return found;
}

VectorCause Uniformity::cause_of(Pc pc) const {
  if (const auto source = divergence_source(function_->body[pc], given_))
    return {.kind = Kind::Source, .source = *source};
  for (const ptx::RegisterId id : liveness_->uses(pc).reads)
    if (!is_scalar_register(id)) return {.kind = Kind::Operand, .register_id = id};
  for (const ptx::RegisterId id : liveness_->uses(pc).writes)
    if (!is_scalar_register(id)) return {.kind = Kind::Result, .register_id = id};
  return {};
}

/// Whether a vector instruction gives all its threads one value: what is a thread's own is its data alone.
bool Uniformity::shares_result(Pc pc) const {
  const std::optional<std::size_t> data = data_of_warp_result(function_->body[pc]);
  if (!data) return false;
  ptx::Instruction others = function_->body[pc];
  others.operands.erase(others.operands.begin() + static_cast<std::ptrdiff_t>(*data));
  return std::ranges::all_of(registers_of(others).reads, [&](ptx::RegisterId id) { return is_scalar_register(id); });
}

bool Uniformity::mark(ptx::RegisterId id, const VectorCause& cause) {
  if (!is_scalar_register(id)) return false;
  registers_[id] = cause;
  return true;
}

/// Whether threads may leave the block on different ways.
bool Uniformity::is_divergent(BlockId block) const {
  const Block& extent = graph_->blocks()[block];
  const Pc last = extent.last - 1;
  return !is_scalar_instruction(last) && flow_after(*function_, last).is_transfer() &&
         extent.successors.size() + extent.exits > 1;
}

/// Step 4: registers of which there would be two versions at a time. Depends on the text alone, so that each block is
/// looked at once.
void Uniformity::part_at(BlockId block) {
  const InfluenceRegion region =
      influence_region(*graph_, postdominators_, *liveness_, function_->registers.size(), block);
  for (const BranchSide& side : region.sides) {
    if (rule_ == ScalarRule::ConvergentOnly) leave_together(side, region.branch);
    for (ptx::RegisterId id = 0; id < registers_.size(); ++id)
      if (side.written.contains(id) && is_scalar_register(id)) mark(id, cause_at(id, side, region));
  }
}

void Uniformity::leave_together(const BranchSide& side, Pc branch) {
  for (const BlockId inside : side.blocks)
    for (Pc pc = graph_->blocks()[inside].first; pc < graph_->blocks()[inside].last; ++pc)
      if (is_scalar_instruction(pc)) instructions_[pc] = {.kind = Kind::NotTogether, .branch = branch};
}

/// Of a register that is written on the side: what stands against one place for all threads.
VectorCause Uniformity::cause_at(ptx::RegisterId id, const BranchSide& side, const InfluenceRegion& region) const {
  const auto because = [&](Kind kind) {
    return VectorCause{.kind = kind, .register_id = id, .pc = write_of(id, side), .branch = region.branch};
  };
  if (region.meets && liveness_->live_in(*region.meets).contains(id)) return because(Kind::AliveWhereTheyMeet);
  for (const BranchSide& other : region.sides) {
    if (&other == &side) continue;
    if (liveness_->live_in(other.start).contains(id)) return because(Kind::AliveOnTheOtherSide);
    if (rule_ == ScalarRule::DivergentAtOnce && other.mentioned.contains(id)) return because(Kind::UsedOnTheOtherSide);
  }
  return {};
}

Pc Uniformity::write_of(ptx::RegisterId id, const BranchSide& side) const {
  for (const BlockId inside : side.blocks)
    for (Pc pc = graph_->blocks()[inside].first; pc < graph_->blocks()[inside].last; ++pc)
      if (std::ranges::find(liveness_->uses(pc).writes, id) != liveness_->uses(pc).writes.end()) return pc;
  return kNoPc;
}

unsigned Uniformity::scalar_instructions() const {
  return static_cast<unsigned>(
      std::ranges::count(instructions_, Kind::None, [](const VectorCause& cause) { return cause.kind; }));
}

RegisterSet Uniformity::scalar_registers() const {
  RegisterSet scalar(registers_.size());
  for (ptx::RegisterId id = 0; id < registers_.size(); ++id)
    if (is_scalar_register(id)) scalar.insert(id);
  return scalar;
}

}  // namespace warpfork::analysis
