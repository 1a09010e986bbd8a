#include "lower/unread_channels.h"

#include <algorithm>

#include "analysis/cfg.h"
#include "analysis/liveness.h"

namespace warpfork::lower {

namespace {

bool reads_texture(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::Tex || instruction.opcode == ptx::Opcode::Tld4;
}

ptx::VectorOperand* results_of(ptx::Instruction& instruction) {
  return instruction.operands.empty() ? nullptr : std::get_if<ptx::VectorOperand>(&instruction.operands[0]);
}

}  // namespace

void leave_out_unread_channels(ptx::Function& function) {
  if (std::ranges::none_of(function.body, reads_texture)) return;
  const analysis::ControlFlowGraph graph(function);
  const analysis::Liveness liveness(function, graph);
  for (analysis::BlockId block = 0; block < graph.blocks().size(); ++block)
    liveness.for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& live) {
      ptx::VectorOperand* const results = results_of(function.body[pc]);
      if (!reads_texture(function.body[pc]) || results == nullptr) return;
      for (ptx::Operand& result : results->elements)
        if (const auto* one = result.as<ptx::RegisterOperand>(); one && !live.contains(one->id))
          result = ptx::SinkOperand{};
    });
}

}  // namespace warpfork::lower
