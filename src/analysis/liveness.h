// Live registers at every instruction (STSIMT section 4.3): how many registers a thread needs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/register_set.h"
#include "analysis/register_use.h"

namespace warpfork::analysis {

/// Backward data flow. A guarded write does not end a register's life before it: lanes whose guard is false keep it.
class Liveness {
 public:
  Liveness(const ptx::Function& function, const ControlFlowGraph& graph);
  /// Of the function with its instructions in the order of `graph` and `uses`.
  Liveness(const ptx::Function& function, const ControlFlowGraph& graph, RegisterUses uses);

  const RegisterSet& live_in(BlockId block) const { return live_in_[block]; }
  const RegisterSet& live_out(BlockId block) const { return live_out_[block]; }

  /// Largest number of 32-bit units alive at once: just before an instruction, or just after it with all it has
  /// written.
  unsigned max_units() const;
  /// The same of these registers alone.
  unsigned max_units(const RegisterSet& counted) const;
  /// By instruction, so many just after it with all it has written.
  std::vector<unsigned> units_after() const;

  /// What the instruction reads and writes.
  RegisterUses::Use uses(Pc pc) const { return uses_[pc]; }
  bool is_guarded(Pc pc) const { return uses_.is_guarded(pc); }
  /// visit(pc, registers alive just after it) for the block's instructions, the last one first.
  template <typename Visit>
  void for_each_backward(BlockId block, Visit&& visit) const {
    RegisterSet live = live_out_[block];
    const Block& extent = graph_->blocks()[block];
    for (Pc pc = extent.last; pc-- > extent.first;) {
      visit(pc, std::as_const(live));
      if (ends_lives(pc))
        for (ptx::RegisterId id : uses_[pc].writes) live.erase(id);
      for (ptx::RegisterId id : uses_[pc].reads) live.insert(id);
    }
  }

 private:
  void gather(BlockId block, RegisterSet& reads_first, RegisterSet& overwritten) const;
  template <typename Visit>
  void for_each_size(std::span<const std::uint8_t> units, Visit&& visit) const;
  bool ends_lives(Pc pc) const { return !uses_.is_guarded(pc); }

  const ptx::Function* function_;
  const ControlFlowGraph* graph_;
  RegisterUses uses_;
  std::vector<RegisterSet> live_in_, live_out_;
};

/// Registers per thread in 32-bit units, before any allocation: what occupancy counts.
unsigned max_live_registers(const ptx::Function& function, const ControlFlowGraph& graph);

}  // namespace warpfork::analysis
