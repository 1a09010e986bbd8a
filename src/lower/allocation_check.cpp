#include "lower/allocation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/postdominators.h"
#include "analysis/register_set.h"
#include "lower/colouring.h"
#include "lower/interference_graph.h"
#include "ptx/instruction_text.h"
#include "ptx/printer.h"

namespace warpfork::lower {

using analysis::BlockId;
using analysis::RegisterSet;
using ptx::RegisterId;

namespace {

class Check {
 public:
  Check(const ptx::Function& function, const RegisterAllocation& allocation)
      : function_(function), allocation_(allocation), graph_(function), all_(function.registers.size()) {
    for (const ptx::Instruction& instruction : function.body) uses_.push_back(analysis::registers_of(instruction));
    for (RegisterId id = 0; id < function.registers.size(); ++id) {
      all_.insert(id);
      if (allocation.places[id].number != RegisterPlace::kNowhere) file(id);
    }
  }

  std::string fault() {
    if (graph_.blocks().empty()) return {};
    find_orders();
    kept_.assign(graph_.blocks().size(), all_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId block = 0; block < graph_.blocks().size(); ++block) {
        RegisterSet kept = kept_[block];
        run(block, kept, nullptr);
        for (const BlockId successor : graph_.blocks()[block].successors) changed |= meet(successor, kept, all_);
        for (const BlockId other : then_[block]) changed |= meet(other, kept, scalars());
      }
    }
    std::string first;
    for (BlockId block = 0; block < graph_.blocks().size() && first.empty(); ++block) {
      RegisterSet kept = kept_[block];
      run(block, kept, &first);
    }
    return first;
  }

 private:
  void file(RegisterId id) {
    const RegisterPlace& place = allocation_.places[id];
    std::vector<std::vector<RegisterId>>& units = holders_[static_cast<unsigned>(place.file)];
    const unsigned end = place.number + units_of(function_.registers[id].type);
    if (end > units.size()) units.resize(end);
    for (unsigned unit = place.number; unit < end; ++unit) units[unit].push_back(id);
  }

  RegisterSet scalars() const {
    RegisterSet set(function_.registers.size());
    for (RegisterId id = 0; id < allocation_.places.size(); ++id)
      if (allocation_.places[id].file == RegisterFile::Scalar) set.insert(id);
    return set;
  }

  /// From the last blocks of each side of a branch to the first one of each other side.
  void find_orders() {
    then_.resize(graph_.blocks().size());
    if (allocation_.scalar_registers == 0) return;
    const analysis::Postdominators postdominators(graph_);
    for (const analysis::Block& block : graph_.blocks()) {
      if (block.successors.size() < 2) continue;
      const Pc end = postdominators.reconvergence_pc(block.last - 1);
      for (const BlockId side : block.successors)
        for (const BlockId other : block.successors)
          if (side != other) order(side, other, end);
    }
  }
  void order(BlockId side, BlockId other, Pc end) {
    if (graph_.blocks()[side].first == end || graph_.blocks()[other].first == end) return;
    std::vector<bool> reached(graph_.blocks().size(), false);
    std::vector<BlockId> waiting{side};
    while (!waiting.empty()) {
      const BlockId block = waiting.back();
      waiting.pop_back();
      if (reached[block] || graph_.blocks()[block].first == end) continue;
      reached[block] = true;
      then_[block].push_back(other);  // some of the threads may be done here; too many orders harm nothing
      const auto& successors = graph_.blocks()[block].successors;
      waiting.insert(waiting.end(), successors.begin(), successors.end());
    }
  }

  /// What of `of` is lost on this way into the block is lost there.
  bool meet(BlockId block, const RegisterSet& kept, const RegisterSet& of) {
    RegisterSet lost = of, before = kept_[block];
    lost -= kept;
    kept_[block] -= lost;
    return before != kept_[block];
  }

  void run(BlockId block, RegisterSet& kept, std::string* fault) const {
    for (Pc pc = graph_.blocks()[block].first; pc < graph_.blocks()[block].last; ++pc) {
      for (const RegisterId id : uses_[pc].reads)
        if (fault && fault->empty() && !kept.contains(id)) *fault = text(pc, id);
      const auto* copied = copied_register(function_.body[pc], function_);
      for (const RegisterId id : uses_[pc].writes) write(pc, id, copied, kept);
    }
  }

  void write(Pc pc, RegisterId id, const ptx::RegisterOperand* copied, RegisterSet& kept) const {
    const RegisterPlace& place = allocation_.places[id];
    const bool was_kept = kept.contains(id);
    const unsigned end = place.number + units_of(function_.registers[id].type);
    const bool changes = !copied || allocation_.places[copied->id] != place || !kept.contains(copied->id);
    for (unsigned unit = place.number; changes && unit < end; ++unit)
      for (const RegisterId other : holders_[static_cast<unsigned>(place.file)][unit]) kept.erase(other);
    if (was_kept || !function_.body[pc].guard) kept.insert(id);
  }

  std::string text(Pc pc, RegisterId id) const {
    const ptx::Instruction& instruction = function_.body[pc];
    const RegisterPlace& place = allocation_.places[id];
    return fmt::format("pc {} (line {}): '{}' reads {} in {}{}, where another register may have been written since", pc,
                       instruction.location.line, ptx::to_text(instruction, function_), function_.registers[id].name,
                       "RSP"[static_cast<unsigned>(place.file)], place.number);
  }

  const ptx::Function& function_;
  const RegisterAllocation& allocation_;
  analysis::ControlFlowGraph graph_;
  RegisterSet all_;
  std::vector<analysis::RegisterUse> uses_;
  std::vector<std::vector<RegisterId>> holders_[3];  // by file and unit
  std::vector<std::vector<BlockId>> then_;           // by block
  std::vector<RegisterSet> kept_;                    // by block: at its begin, registers whose places hold their values
};

}  // namespace

std::string allocation_fault(const ptx::Function& function, const RegisterAllocation& allocation) {
  return Check(function, allocation).fault();
}

}  // namespace warpfork::lower
