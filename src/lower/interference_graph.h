// Which registers of a function cannot share a place (STSIMT section 4.3).
#pragma once

#include <span>
#include <vector>

#include "analysis/liveness.h"
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
                    const SideOrder& sides = {});

  /// In ascending order, without duplicates.
  std::span<const ptx::RegisterId> neighbours(ptx::RegisterId id) const { return neighbours_[id]; }
  bool interfere(ptx::RegisterId a, ptx::RegisterId b) const;

  /// One register more than there are, which interferes with these, in ascending order.
  void add(std::vector<ptx::RegisterId> neighbours);
  /// They interfere with none from now on.
  void remove(std::span<const ptx::RegisterId> ids);

 private:
  std::vector<std::vector<ptx::RegisterId>> neighbours_;  // by register
};

/// The source if the instruction does nothing but copy a register of the destination's width.
const ptx::RegisterOperand* copied_register(const ptx::Instruction& instruction, const ptx::Function& function);

}  // namespace warpfork::lower
