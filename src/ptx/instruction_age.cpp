#include "ptx/instruction_age.h"

#include <algorithm>

namespace warpfork::ptx {

namespace {

bool is_late(Opcode opcode) {
  switch (opcode) {
    case Opcode::Mapa:
    case Opcode::Getctarank:
    case Opcode::Tensormap:
    case Opcode::Multimem:
    case Opcode::Griddepcontrol:
    case Opcode::Elect:
    case Opcode::Clusterlaunchcontrol:
    case Opcode::Stmatrix:
    case Opcode::Wgmma:
    case Opcode::Tcgen05:
    case Opcode::Setmaxnreg:
      return true;
    default:
      return false;
  }
}

bool is_late(Modifier word) {
  switch (word) {
    case Modifier::Cluster:
    case Modifier::SharedCluster:
    case Modifier::Bulk:
    case Modifier::ExpectTx:
    case Modifier::CompleteTx:
    case Modifier::TryWait:
    case Modifier::Async:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_of_sm_90(const Instruction& instruction) {
  if (is_late(instruction.opcode)) return true;
  const bool is_early_copy = instruction.opcode == Opcode::Cp && !instruction.has(Modifier::Bulk);  // of sm_80
  return std::ranges::any_of(instruction.modifiers, [&](Modifier word) {
    return is_late(word) && !(is_early_copy && word == Modifier::Async);
  });
}

std::string_view remedy_for_age(const Instruction& instruction) {
  return is_of_sm_90(instruction)
             ? "\n    it is of sm_90 or later: build for an older architecture, too (code=compute_80)"
             : "";
}

}  // namespace warpfork::ptx
