#include "lower/allocation_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/influence_region.h"
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
  Check(const ptx::Function& function, const RegisterAllocation& allocation, SideOrder sides)
      : function_(function),
        allocation_(allocation),
        sides_(sides),
        graph_(function),
        all_(function.registers.size()),
        uses_(function) {
    for (RegisterId id = 0; id < function.registers.size(); ++id) {
      all_.insert(id);
      if (allocation.places[id].number != RegisterPlace::kNowhere) file(id);
    }
  }

  std::string fault() {
    if (graph_.blocks().empty()) return {};
    find_sides();
    kept_.assign(graph_.blocks().size(), all_);
    std::vector<bool> to_run(graph_.blocks().size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId block = 0; block < graph_.blocks().size(); ++block) {
        if (!to_run[block]) continue;
        to_run[block] = false;
        RegisterSet kept = kept_[block];
        run(block, kept, nullptr);
        const std::vector<BlockId>& successors = graph_.blocks()[block].successors;
        for (std::size_t way = 0; way < successors.size(); ++way) {
          RegisterSet left = kept;
          if (!before_[block].empty()) left -= before_[block][way];
          if (meet(successors[way], left)) to_run[successors[way]] = changed = true;
        }
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

  /// What each side of a branch finds when the others have run before it, or run meanwhile.
  void find_sides() {
    before_.resize(graph_.blocks().size());
    disturbed_.resize(graph_.blocks().size(), RegisterSet(function_.registers.size()));
    if (allocation_.scalar_registers == 0) return;
    const analysis::Postdominators postdominators(graph_);
    for (BlockId parting = 0; parting < before_.size(); ++parting) {
      const analysis::Block& block = graph_.blocks()[parting];
      if (block.successors.size() < 2) continue;
      const std::vector<std::vector<BlockId>> ways = analysis::blocks_of_sides(graph_, postdominators, parting);
      before_[parting].resize(ways.size(), RegisterSet(function_.registers.size()));
      for (std::size_t way = 0; way < ways.size(); ++way)
        for (std::size_t other = 0; other < ways.size(); ++other)
          if (other != way) follow(before_[parting][way], ways[other], ways[way]);
    }
  }
  void follow(RegisterSet& before, const std::vector<BlockId>& other, const std::vector<BlockId>& side) {
    for (const BlockId block : other) {
      const RegisterSet lost = overwritten(block);
      before |= lost;
      if (sides_ == SideOrder::AtOnce)
        for (const BlockId meanwhile : side) disturbed_[meanwhile] |= lost;
    }
  }
  /// Scalar registers in whose places the block writes others.
  RegisterSet overwritten(BlockId block) const {
    RegisterSet lost(function_.registers.size());
    for (Pc pc = graph_.blocks()[block].first; pc < graph_.blocks()[block].last; ++pc)
      for (const RegisterId id : uses_[pc].writes) {
        const RegisterPlace& place = allocation_.places[id];
        if (place.file != RegisterFile::Scalar) continue;
        for (unsigned unit = place.number; unit < place.number + units_of(function_.registers[id].type); ++unit)
          for (const RegisterId other : holders_[static_cast<unsigned>(place.file)][unit])
            if (other != id) lost.insert(other);
      }
    return lost;
  }
  /// What is lost on this way into the block is lost there.
  bool meet(BlockId block, const RegisterSet& kept) {
    RegisterSet lost = all_, before = kept_[block];
    lost -= kept;
    kept_[block] -= lost;
    return before != kept_[block];
  }

  void run(BlockId block, RegisterSet& kept, std::string* fault) const {
    kept -= disturbed_[block];
    for (Pc pc = graph_.blocks()[block].first; pc < graph_.blocks()[block].last; ++pc) {
      for (const RegisterId id : uses_[pc].reads)
        if (fault && fault->empty() && !kept.contains(id)) *fault = text(pc, id);
      const auto* copied = copied_register(function_.body[pc], function_);
      for (const RegisterId id : uses_[pc].writes) write(pc, id, copied, kept);
      kept -= disturbed_[block];
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
  SideOrder sides_;
  analysis::ControlFlowGraph graph_;
  RegisterSet all_;
  analysis::RegisterUses uses_;
  std::vector<std::vector<RegisterId>> holders_[3];  // by file and unit
  std::vector<std::vector<RegisterSet>> before_;     // by block and way out of it: what other ways may have overwritten
  std::vector<RegisterSet> disturbed_;               // by block: in whose places others write meanwhile
  std::vector<RegisterSet> kept_;                    // by block: at its begin, registers whose places hold their values
};

}  // namespace

std::string allocation_fault(const ptx::Function& function, const RegisterAllocation& allocation, SideOrder sides) {
  return Check(function, allocation, sides).fault();
}

}  // namespace warpfork::lower
