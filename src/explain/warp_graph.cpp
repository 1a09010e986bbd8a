#include "explain/warp_graph.h"

#include <algorithm>

namespace warpfork::explain {

using analysis::Block;
using analysis::BlockId;

namespace {

constexpr std::size_t kMostMasks = 6;  // of one edge; others are counted

}  // namespace

WarpGraph::WarpGraph(const KernelFlow& flow) : flow_(flow), blocks_(flow.graph.blocks().size()) {}

void WarpGraph::add(const gpu::Step& step) {
  const simt::Instruction& instruction = *step.instruction;
  const BlockId block = flow_.graph.block_of(step.pc);
  if (!flow_.ends_block(step.pc)) return;
  const bool is_branch = instruction.kind == simt::InstructionKind::Branch;
  const ActiveMask taken = is_branch ? step.executed : ActiveMask();
  const ActiveMask others = step.active - taken - step.exited;
  ++blocks_[block].executed;
  blocks_[block].divergent += taken.any() && others.any();
  take(block, kNoPc, step.exited);
  take(block, instruction.target, taken);
  take(block, step.pc + 1, others);
}

void WarpGraph::take(BlockId from, Pc to, ActiveMask lanes) {
  if (lanes.any()) ++edges_[{from, flow_.holds(to) ? flow_.graph.block_of(to) : exit()}][lanes.bits()];
}

std::string WarpGraph::graphviz(unsigned width) const {
  std::string text = fmt::format(
      "digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n", flow_.program.name);
  for (BlockId id = 0; id < exit(); ++id) text += block_text(id);
  text += "  exit [shape=oval];\n";
  for (BlockId id = 0; id < exit(); ++id) {
    const Block& block = flow_.graph.blocks()[id];
    for (const BlockId successor : block.successors) text += edge_text(id, successor, width);
    if (block.exits) text += edge_text(id, exit(), width);
    text += fmt::format("  B{} -> {} [style=dashed, color=gray, constraint=false];\n", id,
                        name(flow_.postdominators.immediate(id).value_or(exit())));
  }
  return text + "}\n";
}

std::string WarpGraph::block_text(BlockId id) const {
  const Block& block = flow_.graph.blocks()[id];
  const Count& count = blocks_[id];
  const auto line_of = [&](Pc pc) { return flow_.program.function->body[pc].location.line; };
  return fmt::format("  B{} [label=\"B{}\\npc {}-{}, lines {}-{}\\n{} executed, {} divergent\"{}];\n", id, id,
                     block.first, block.last - 1, line_of(block.first), line_of(block.last - 1), count.executed,
                     count.divergent,
                     count.divergent != 0  ? ", color=red"
                     : count.executed == 0 ? ", color=gray, fontcolor=gray"
                                           : "");
}

std::string WarpGraph::edge_text(BlockId from, BlockId to, unsigned width) const {
  const auto found = edges_.find({from, to});
  if (found == edges_.end()) return fmt::format("  {} -> {} [color=gray];\n", name(from), name(to));
  std::vector<std::pair<ActiveMask::Word, std::uint64_t>> masks(found->second.begin(), found->second.end());
  std::stable_sort(masks.begin(), masks.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string label;
  for (std::size_t i = 0; i < std::min(masks.size(), kMostMasks); ++i) {
    if (i != 0) label += "\\n";
    label += ActiveMask(masks[i].first).to_string(width);
    if (masks[i].second != 1) label += fmt::format(" ×{}", masks[i].second);
  }
  if (masks.size() > kMostMasks) label += fmt::format("\\n… {} other masks", masks.size() - kMostMasks);
  return fmt::format("  {} -> {} [label=\"{}\"];\n", name(from), name(to), label);
}

std::string WarpGraph::name(BlockId id) const { return id == exit() ? "exit" : fmt::format("B{}", id); }

}  // namespace warpfork::explain
