#include "gpu/code_blocks.h"

#include "analysis/cfg.h"
#include "ptx/printer.h"

namespace warpfork::gpu {

std::vector<report::CodeBlock> code_blocks(const simt::Program& program) {
  const analysis::ControlFlowGraph graph(*program.function);
  std::vector<report::CodeBlock> blocks;
  for (const analysis::Block& block : graph.blocks()) {
    report::CodeBlock& added = blocks.emplace_back();
    added.pc = block.first;
    for (Pc pc = block.first; pc < block.last; ++pc) {
      const ptx::Instruction& instruction = program.function->body[pc];
      added.ptx.push_back(ptx::to_text(instruction, *program.function));
      added.ptx_lines.push_back(instruction.location.line);
    }
    for (const analysis::BlockId next : block.successors) added.successors.push_back(graph.blocks()[next].first);
    if (const Pc meeting = program.code[block.first].reconvergence; meeting != kNoPc) added.reconvergence = {meeting};
  }
  return blocks;
}

}  // namespace warpfork::gpu
