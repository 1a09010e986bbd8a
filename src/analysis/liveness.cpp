#include "analysis/liveness.h"

#include <algorithm>

namespace warpfork::analysis {

namespace {

/// A live set that knows its size in 32-bit units.
struct LiveRegisters {
  RegisterSet set;
  const std::vector<ptx::Register>* registers;
  const RegisterSet* counted;
  unsigned units = 0;

  unsigned size_of(ptx::RegisterId id) const {
    return counted->contains(id) ? register_units((*registers)[id].type) : 0;
  }
  void insert(ptx::RegisterId id) {
    if (!set.contains(id)) units += size_of(id);
    set.insert(id);
  }
  void erase(ptx::RegisterId id) {
    if (set.contains(id)) units -= size_of(id);
    set.erase(id);
  }
};

}  // namespace

Liveness::Liveness(const ptx::Function& function, const ControlFlowGraph& graph)
    : function_(&function), graph_(&graph) {
  const RegisterSet empty(function.registers.size());
  const std::size_t blocks = graph.blocks().size();
  live_in_.assign(blocks, empty);
  live_out_.assign(blocks, empty);
  for (const ptx::Instruction& instruction : function.body) uses_.push_back(registers_of(instruction));

  std::vector<RegisterSet> reads_first(blocks, empty), overwritten(blocks, empty);
  for (BlockId id = 0; id < blocks; ++id) gather(id, reads_first[id], overwritten[id]);
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId id = static_cast<BlockId>(blocks); id-- > 0;) {
      for (BlockId successor : graph.blocks()[id].successors) live_out_[id] |= live_in_[successor];
      RegisterSet live = live_out_[id];
      live -= overwritten[id];
      live |= reads_first[id];
      changed |= live != live_in_[id];
      live_in_[id] = std::move(live);
    }
  }
}

void Liveness::gather(BlockId block, RegisterSet& reads_first, RegisterSet& overwritten) const {
  const Block& extent = graph_->blocks()[block];
  for (Pc pc = extent.last; pc-- > extent.first;) {
    for (ptx::RegisterId id : uses_[pc].writes) {
      if (!ends_lives(pc)) continue;
      overwritten.insert(id);
      reads_first.erase(id);
    }
    for (ptx::RegisterId id : uses_[pc].reads) reads_first.insert(id);
  }
}

unsigned Liveness::max_units() const { return max_units(RegisterSet::first(function_->registers.size())); }

unsigned Liveness::max_units(const RegisterSet& counted) const {
  unsigned most = 0;
  for (BlockId id = 0; id < graph_->blocks().size(); ++id) most = std::max(most, max_units(id, counted));
  return most;
}

unsigned Liveness::max_units(BlockId block, const RegisterSet& counted) const {
  LiveRegisters live{RegisterSet(function_->registers.size()), &function_->registers, &counted};
  for (ptx::RegisterId id = 0; id < function_->registers.size(); ++id)
    if (live_out_[block].contains(id)) live.insert(id);
  unsigned most = live.units;
  const Block& extent = graph_->blocks()[block];
  for (Pc pc = extent.last; pc-- > extent.first;) {
    for (ptx::RegisterId id : uses_[pc].writes) live.insert(id);
    most = std::max(most, live.units);
    if (ends_lives(pc))
      for (ptx::RegisterId id : uses_[pc].writes) live.erase(id);
    for (ptx::RegisterId id : uses_[pc].reads) live.insert(id);
    most = std::max(most, live.units);
  }
  return most;
}

unsigned max_live_registers(const ptx::Function& function, const ControlFlowGraph& graph) {
  return Liveness(function, graph).max_units();
}

}  // namespace warpfork::analysis
