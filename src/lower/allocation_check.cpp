#include "lower/allocation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
  Check(const ptx::Function& function, const RegisterAllocation& allocation, const SideOrder& sides)
      : function_(function), allocation_(allocation), sides_(sides), graph_(function), uses_(function) {
    const RegisterSet carried = this->carried();
    for (RegisterId id = 0; id < function.registers.size(); ++id)
      if (allocation.places[id].number != RegisterPlace::kNowhere) file(id, carried.contains(id));
  }

  std::string fault() {
    if (graph_.blocks().empty()) return {};
    find_sides();
    kept_.assign(graph_.blocks().size(), RegisterSet::first(function_.registers.size()));
    std::vector<bool> to_run(graph_.blocks().size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId block = 0; block < graph_.blocks().size(); ++block) {
        if (!to_run[block]) continue;
        to_run[block] = false;
        RegisterSet kept = kept_[block];
        run(block, kept, nullptr);
        const std::vector<BlockId>& successors = graph_.blocks()[block].successors;
        for (std::size_t way = 0; way < successors.size(); ++way)
          if (leave(block, way, kept)) to_run[successors[way]] = changed = true;
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
  /// Registers by unit of a file.
  using Holders = std::vector<std::vector<RegisterId>>;

  /// Registers of which a block needs what they hold where it begins. The others, which are many, are written in the
  /// block first: whether their places hold their values need not be known from block to block.
  RegisterSet carried() const {
    RegisterSet found(function_.registers.size());
    for (const analysis::Block& block : graph_.blocks()) {
      RegisterSet written(function_.registers.size());
      for (Pc pc = block.first; pc < block.last; ++pc) {
        for (const RegisterId id : uses_[pc].reads)
          if (!written.contains(id)) found.insert(id);
        if (function_.body[pc].guard) continue;
        for (const RegisterId id : uses_[pc].writes) written.insert(id);
      }
    }
    return found;
  }

  void file(RegisterId id, bool is_carried) {
    const RegisterPlace& place = allocation_.places[id];
    const auto file = static_cast<unsigned>(place.file);
    const unsigned end = place.number + units_of(function_.registers[id].type);
    for (Holders* holders : {&carried_in_[file], &written_in_[file], &scalars_in_})
      if (end > holders->size()) holders->resize(end);
    for (unsigned unit = place.number; unit < end; ++unit) {
      if (is_carried) carried_in_[file][unit].push_back(id);
      if (place.file == RegisterFile::Scalar) scalars_in_[unit].push_back(id);
    }
  }

  /// What each side of a branch finds when the others have run before it, or run meanwhile.
  void find_sides() {
    before_.resize(graph_.blocks().size());
    if (allocation_.scalar_registers == 0) return;
    disturbed_.resize(graph_.blocks().size(), RegisterSet(function_.registers.size()));
    for (BlockId block = 0; block < before_.size(); ++block) overwritten_.push_back(overwritten(block));
    const analysis::Postdominators postdominators(graph_, sides_.leavers);
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
    RegisterSet lost(function_.registers.size());
    for (const BlockId block : other) lost |= overwritten_[block];
    before |= lost;
    if (sides_.at_once)
      for (const BlockId meanwhile : side) disturbed_[meanwhile] |= lost;
  }
  /// Scalar registers in whose places the block writes others.
  RegisterSet overwritten(BlockId block) const {
    RegisterSet lost(function_.registers.size());
    for (Pc pc = graph_.blocks()[block].first; pc < graph_.blocks()[block].last; ++pc)
      for (const RegisterId id : uses_[pc].writes) {
        const RegisterPlace& place = allocation_.places[id];
        if (place.file != RegisterFile::Scalar) continue;
        for (unsigned unit = place.number; unit < place.number + units_of(function_.registers[id].type); ++unit)
          for (const RegisterId other : scalars_in_[unit])
            if (other != id) lost.insert(other);
      }
    return lost;
  }
  /// What is not kept at the block's end, or is lost on this way out of it, is lost where it leads to. True if there it
  /// was not yet.
  bool leave(BlockId block, std::size_t way, const RegisterSet& kept) {
    RegisterSet& there = kept_[graph_.blocks()[block].successors[way]];
    if (before_[block].empty()) return there.keep(kept);
    RegisterSet left = kept;
    left -= before_[block][way];
    return there.keep(left);
  }

  void disturb(BlockId block, RegisterSet& kept) const {
    if (!disturbed_.empty()) kept -= disturbed_[block];
  }

  void run(BlockId block, RegisterSet& kept, std::string* fault) {
    for (Holders& units : written_in_)
      for (std::vector<RegisterId>& unit : units) unit.clear();
    disturb(block, kept);
    for (Pc pc = graph_.blocks()[block].first; pc < graph_.blocks()[block].last; ++pc) {
      for (const RegisterId id : uses_[pc].reads)
        if (fault && fault->empty() && !kept.contains(id)) *fault = text(pc, id);
      const auto* copied = copied_register(function_.body[pc], function_);
      for (const RegisterId id : uses_[pc].writes) write(pc, id, copied, kept);
      disturb(block, kept);
    }
  }

  void write(Pc pc, RegisterId id, const ptx::RegisterOperand* copied, RegisterSet& kept) {
    const RegisterPlace& place = allocation_.places[id];
    const bool was_kept = kept.contains(id);
    const unsigned end = place.number + units_of(function_.registers[id].type);
    const bool changes = !copied || allocation_.places[copied->id] != place || !kept.contains(copied->id);
    const bool has_value = was_kept || !function_.body[pc].guard;
    for (unsigned unit = place.number; unit < end; ++unit) {
      std::vector<RegisterId>& written = written_in_[static_cast<unsigned>(place.file)][unit];
      if (changes) {
        for (const RegisterId other : carried_in_[static_cast<unsigned>(place.file)][unit]) kept.erase(other);
        for (const RegisterId other : written) kept.erase(other);
        written.clear();
      }
      if (has_value) written.push_back(id);
    }
    if (has_value) kept.insert(id);
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
  analysis::RegisterUses uses_;
  std::array<Holders, 3> carried_in_;             // by file: registers that are carried between blocks
  std::array<Holders, 3> written_in_;             // likewise: what the block at hand has written there since
  Holders scalars_in_;                            // all of the scalar file
  std::vector<RegisterSet> overwritten_;          // by block: overwritten(), if there are scalar registers
  std::vector<std::vector<RegisterSet>> before_;  // by block and way out of it: what other ways may have overwritten
  std::vector<RegisterSet> disturbed_;            // by block: in whose places others write meanwhile; empty: nowhere
  std::vector<RegisterSet> kept_;                 // by block: at its begin, registers whose places hold their values
};

}  // namespace

std::string allocation_fault(const ptx::Function& function, const RegisterAllocation& allocation,
                             const SideOrder& sides) {
  return Check(function, allocation, sides).fault();
}

}  // namespace warpfork::lower
