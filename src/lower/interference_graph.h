// Which registers of a function cannot share a place (STSIMT section 4.3).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "lower/register_allocation.h"

namespace warpfork::lower {

/// Two registers of one file interfere if one is written while the other is alive, unless it is written with the
/// other's value, or if both may be read before they are written. Scalar registers are shared by threads that part: one
/// that is alive at the first instruction of a side of a branch, or anywhere on it if the sides run at once, interferes
/// with all that the other side writes before the threads meet again.
class InterferenceGraph {
 public:
  InterferenceGraph(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                    const analysis::Liveness& liveness, std::span<const RegisterFile> files,
                    SideOrder sides = SideOrder::OneAfterTheOther);

  /// In ascending order, without duplicates.
  std::span<const ptx::RegisterId> neighbours(ptx::RegisterId id) const {
    return std::span(neighbours_).subspan(first_[id], first_[id + 1] - first_[id]);
  }
  bool interfere(ptx::RegisterId a, ptx::RegisterId b) const;

 private:
  /// What a register cannot share a place with by one of its writes: others_ up to `end`, from the write before.
  struct Write {
    ptx::RegisterId written;
    std::uint32_t end;
  };
  void add(ptx::RegisterId a, ptx::RegisterId b);
  void add_all(ptx::RegisterId written, const analysis::RegisterSet& alive, const ptx::RegisterId* copied);
  void add_sides(const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness, SideOrder sides);
  void sort_out(std::size_t registers);

  std::span<const RegisterFile> files_;
  std::vector<Write> writes_;            // found so far
  std::vector<ptx::RegisterId> others_;  // of each, in ascending order
  std::vector<std::uint32_t> first_;     // by register, into neighbours_
  std::vector<ptx::RegisterId> neighbours_;
};

/// The source if the instruction does nothing but copy a register of the destination's width.
const ptx::RegisterOperand* copied_register(const ptx::Instruction& instruction, const ptx::Function& function);

}  // namespace warpfork::lower
