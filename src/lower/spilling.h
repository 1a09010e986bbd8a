// Registers that live in local memory: loads before their uses, stores behind their definitions (Chaitin 1982).
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "analysis/register_set.h"
#include "lower/colouring.h"
#include "lower/interference_graph.h"
#include "lower/lives.h"

namespace warpfork::lower {

/// Spilling of one function, round by round until its registers fit. A spilled register is replaced, at each
/// instruction that reads or writes it, by a temporary of its own, which lives around that instruction alone: the lives
/// of all other registers, and what they are to each other, stay as they are. So the interference graph is kept up to
/// date, and loads and stores are written when all is chosen; until then the function has the temporaries' names only.
class Spilling {
 public:
  Spilling(ptx::Function& function, const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness,
           std::span<const RegisterFile> files, InterferenceGraph& interference);

  /// Registers in the order of their first appearance in the text as it will be.
  std::vector<ptx::RegisterId> by_appearance() const;
  /// Which registers to spill so that the coloured function comes nearer to the limit: for each one that lies beyond
  /// it, the cheapest of it and its neighbours, as many as make half the room that it lacks: what is spilled for one
  /// makes room for others, too. No temporaries; empty if there is no other.
  std::vector<ptx::RegisterId> choose(const RegisterAllocation& coloured, unsigned limit) const;
  void spill(std::span<const ptx::RegisterId> registers);
  /// Writes loads and stores and the spill area, a .local variable. What was spilled, in the order of the area.
  std::vector<SpilledRegister> write();

 private:
  /// A spilled register as one instruction sees it.
  struct Temporary {
    ptx::RegisterId id, original;
    std::size_t place;  // index into spilled_
    unsigned round;
    bool is_loaded, is_stored;
  };
  /// An instruction that reads or writes a register which is to be spilled.
  struct Touch {
    Pc pc;
    ptx::RegisterId id;
    std::size_t place;  // index into spilled_
    auto operator<=>(const Touch&) const = default;
  };
  unsigned units(ptx::RegisterId id) const { return units_of(function_.registers[id].type); }
  void choose_for(ptx::RegisterId id, unsigned wanted, std::vector<ptx::RegisterId>& chosen) const;
  std::vector<ptx::RegisterId> cheapest_first(ptx::RegisterId id) const;
  void replace(const Touch& touch);
  void connect(ptx::RegisterId first, std::span<const Touch> touched);
  std::vector<ptx::RegisterId> neighbours(const Temporary& made, Pc pc, const analysis::RegisterSet& alive_after) const;

  ptx::Function& function_;
  const analysis::ControlFlowGraph& graph_;
  const analysis::Liveness& liveness_;  // before anything is spilled
  InterferenceGraph& interference_;
  RegisterSites reads_, writes_;                     // likewise
  std::vector<double> accesses_;                     // by register: how often, ten times as much for each loop around
  analysis::RegisterSet elsewhere_;                  // in memory, or in another file
  std::vector<std::vector<Temporary>> temporaries_;  // by pc, in the order in which they were made
  std::vector<SpilledRegister> spilled_;
  unsigned rounds_ = 0;
};

/// Whether Spilling made the instruction.
bool is_spill(const ptx::Instruction& instruction);

}  // namespace warpfork::lower
