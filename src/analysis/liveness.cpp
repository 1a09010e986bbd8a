#include "analysis/liveness.h"

#include <algorithm>

namespace warpfork::analysis {

namespace {

/// By register: its size in 32-bit units.
std::vector<std::uint8_t> sizes_of(const ptx::Function& function) {
  std::vector<std::uint8_t> sizes;
  sizes.reserve(function.registers.size());
  for (const ptx::Register& each : function.registers)
    sizes.push_back(static_cast<std::uint8_t>(register_units(each.type)));
  return sizes;
}

unsigned sum_of(const RegisterSet& registers, std::span<const std::uint8_t> units) {
  unsigned sum = 0;
  registers.for_each([&](ptx::RegisterId id) { sum += units[id]; });
  return sum;
}

}  // namespace

Liveness::Liveness(const ptx::Function& function, const ControlFlowGraph& graph)
    : Liveness(function, graph, RegisterUses(function)) {}

Liveness::Liveness(const ptx::Function& function, const ControlFlowGraph& graph, RegisterUses uses)
    : function_(&function), graph_(&graph), uses_(std::move(uses)) {
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
  std::vector<std::uint8_t> units = sizes_of(*function_);
  for (ptx::RegisterId id = 0; id < units.size(); ++id)
    if (!counted.contains(id)) units[id] = 0;
  unsigned most = 0;
  for_each_size(units, [&](Pc, unsigned after, unsigned before) { most = std::max({most, after, before}); });
  return most;
}

std::vector<unsigned> Liveness::units_after() const {
  std::vector<unsigned> found(uses_.size());
  for_each_size(sizes_of(*function_), [&](Pc pc, unsigned after, unsigned) { found[pc] = after; });
  return found;
}

/// visit(pc, units just after the instruction with all it has written, units just before it), block by block, the last
/// instruction first. `units`: by register.
template <typename Visit>
void Liveness::for_each_size(std::span<const std::uint8_t> units, Visit&& visit) const {
  RegisterSet live(0);  // one, for its memory
  for (BlockId block = 0; block < graph_->blocks().size(); ++block) {
    live = live_out_[block];
    unsigned size = sum_of(live, units);
    const Block& extent = graph_->blocks()[block];
    for (Pc pc = extent.last; pc-- > extent.first;) {
      const RegisterUses::Use use = uses_[pc];
      unsigned after = size;
      for (const ptx::RegisterId id : use.writes)
        if (!live.contains(id)) after += units[id];
      if (ends_lives(pc))
        for (const ptx::RegisterId id : use.writes)
          if (live.erase(id)) size -= units[id];
      for (const ptx::RegisterId id : use.reads)
        if (live.insert(id)) size += units[id];
      visit(pc, after, size);
    }
  }
}

unsigned max_live_registers(const ptx::Function& function, const ControlFlowGraph& graph) {
  return Liveness(function, graph).max_units();
}

}  // namespace warpfork::analysis
