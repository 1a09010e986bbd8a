#include "lower/cluster_barriers.h"

#include "lower/body_edit.h"

namespace warpfork::lower {

using ptx::Modifier;

void forget_cluster_arrivals(ptx::Function& function) {
  BodyEdit edit(function);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    const ptx::Instruction& instruction = function.body[pc];
    if (instruction.opcode == ptx::Opcode::Barrier && instruction.has(Modifier::Cluster) &&
        instruction.has(Modifier::Arrive) && instruction.operands.empty() && !instruction.has(Modifier::Acquire))
      edit.remove(pc);
  }
  edit.apply();
}

}  // namespace warpfork::lower
