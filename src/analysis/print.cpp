#include "analysis/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::analysis {

namespace {

std::string successors_text(const Block& block) {
  std::string text;
  for (BlockId successor : block.successors) text += fmt::format("{}B{}", text.empty() ? "" : " ", successor);
  if (block.exits) text += text.empty() ? "exit" : " exit";
  return text;
}

std::string postdominator_text(const Postdominators& postdominators, BlockId id) {
  const std::optional<BlockId> postdominator = postdominators.immediate(id);
  return postdominator ? fmt::format("B{}", *postdominator) : "exit";
}

unsigned line_of(const ptx::Function& function, Pc pc) { return function.body[pc].location.line; }

/// Threads may part here.
bool is_branch(const ptx::Function& function, Pc pc) {
  const ptx::Instruction& instruction = function.body[pc];
  if (instruction.opcode == ptx::Opcode::Brx) return true;
  return instruction.opcode == ptx::Opcode::Bra && instruction.guard.has_value();
}

std::string branch_row(const ptx::Function& function, const Block& block, const Postdominators& postdominators,
                       const ControlFlowGraph& graph, int width) {
  const Pc pc = block.last - 1;
  const Pc reconvergence = postdominators.reconvergence_pc(pc);
  const std::string place = reconvergence == kNoPc ? "exit"
                                                   : fmt::format("B{}, pc {}, line {}", graph.block_of(reconvergence),
                                                                 reconvergence, line_of(function, reconvergence));
  return fmt::format("{:>12}  {:>4}  {:<{}}  {}\n", pc, line_of(function, pc), successors_text(block), width, place);
}

}  // namespace

std::string print_text(const ptx::Function& function, const ControlFlowGraph& graph,
                       const Postdominators& postdominators) {
  int width = 10;
  for (const Block& block : graph.blocks()) width = std::max(width, static_cast<int>(successors_text(block).size()));

  std::string text =
      fmt::format("{:<5} {:>11}  {:>11}  {:<{}}  {}\n", "block", "pc", "lines", "successors", width, "postdominator");
  for (BlockId id = 0; id < graph.blocks().size(); ++id) {
    const Block& block = graph.blocks()[id];
    text += fmt::format("{:<5} {:>4} - {:>4}  {:>4} - {:>4}  {:<{}}  {}\n", fmt::format("B{}", id), block.first,
                        block.last - 1, line_of(function, block.first), line_of(function, block.last - 1),
                        successors_text(block), width, postdominator_text(postdominators, id));
  }
  std::string branches;
  for (const Block& block : graph.blocks())
    if (is_branch(function, block.last - 1)) branches += branch_row(function, block, postdominators, graph, width);
  if (branches.empty()) return text;
  return text + fmt::format("\n{}  {:>4}  {:<{}}  {}\n", "branch at pc", "line", "targets", width, "reconverges at") +
         branches;
}

std::string print_graphviz(const ptx::Function& function, const ControlFlowGraph& graph,
                           const Postdominators& postdominators) {
  std::string text = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", function.name);
  for (BlockId id = 0; id < graph.blocks().size(); ++id) {
    const Block& block = graph.blocks()[id];
    text += fmt::format("  B{} [label=\"B{}\\npc {}-{}\\nlines {}-{}\"];\n", id, id, block.first, block.last - 1,
                        line_of(function, block.first), line_of(function, block.last - 1));
  }
  text += "  exit [shape=oval];\n";
  for (BlockId id = 0; id < graph.blocks().size(); ++id) {
    const Block& block = graph.blocks()[id];
    for (BlockId successor : block.successors) text += fmt::format("  B{} -> B{};\n", id, successor);
    if (block.exits) text += fmt::format("  B{} -> exit;\n", id);
    text += fmt::format("  B{} -> {} [style=dashed, color=gray, constraint=false];\n", id,
                        postdominator_text(postdominators, id));
  }
  return text + "}\n";
}

}  // namespace warpfork::analysis
