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
    : function_(&function), graph_(&graph), uses_(function) {
  const RegisterSet empty(function.registers.size());
  const std::size_t blocks = graph.blocks().size();
  live_in_.assign(blocks, empty);
  live_out_.assign(blocks, empty);
  std::vector<RegisterSet> overwritten(blocks, empty);
  for (BlockId id = 0; id < blocks; ++id) gather(id, live_in_[id], overwritten[id]);
  std::vector<bool> to_do(blocks, true);  // something is alive behind the block that was not
  for (bool any = true; any;) {
    any = false;
    for (BlockId id = static_cast<BlockId>(blocks); id-- > 0;) {
      if (!to_do[id]) continue;
      to_do[id] = false;
      for (BlockId successor : graph.blocks()[id].successors) live_out_[id] |= live_in_[successor];
      if (!live_in_[id].insert(live_out_[id], overwritten[id])) continue;
      for (BlockId predecessor : graph.blocks()[id].predecessors) to_do[predecessor] = any = true;
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
  for (BlockId id = 0; id < graph_->blocks().size(); ++id)
    for_each_size(id, counted, [&](Pc, unsigned after, unsigned before) { most = std::max({most, after, before}); });
  return most;
}

std::vector<unsigned> Liveness::units_after() const {
  std::vector<unsigned> units(function_->body.size());
  const RegisterSet all = RegisterSet::first(function_->registers.size());
  for (BlockId id = 0; id < graph_->blocks().size(); ++id)
    for_each_size(id, all, [&](Pc pc, unsigned after, unsigned) { units[pc] = after; });
  return units;
}

/// visit(pc, units just after the instruction with all it has written, units just before it), the last one first.
template <typename Visit>
void Liveness::for_each_size(BlockId block, const RegisterSet& counted, Visit&& visit) const {
  LiveRegisters live{live_out_[block], &function_->registers, &counted};
  live.set.for_each([&](ptx::RegisterId id) { live.units += live.size_of(id); });
  const Block& extent = graph_->blocks()[block];
  for (Pc pc = extent.last; pc-- > extent.first;) {
    unsigned after = live.units;
    for (ptx::RegisterId id : uses_[pc].writes)
      if (!live.set.contains(id)) after += live.size_of(id);
    if (ends_lives(pc))
      for (ptx::RegisterId id : uses_[pc].writes) live.erase(id);
    for (ptx::RegisterId id : uses_[pc].reads) live.insert(id);
    visit(pc, after, live.units);
  }
}

unsigned max_live_registers(const ptx::Function& function, const ControlFlowGraph& graph) {
  return Liveness(function, graph).max_units();
}

}  // namespace warpfork::analysis
