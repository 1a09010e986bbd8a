#include "lower/interference_graph.h"

#include <algorithm>
#include <numeric>

namespace warpfork::lower {

using analysis::BlockId;
using analysis::RegisterSet;

const ptx::RegisterOperand* copied_register(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (instruction.opcode != ptx::Opcode::Mov || instruction.operands.size() != 2) return nullptr;
  const auto* to = instruction.operands[0].as<ptx::RegisterOperand>();
  const auto* from = instruction.operands[1].as<ptx::RegisterOperand>();
  if (!to || !from || from->negated) return nullptr;
  const auto type = [&](const ptx::RegisterOperand* reg) { return function.registers[reg->id].type; };
  const bool alike = ptx::bits_of(type(to)) == ptx::bits_of(type(from)) &&
                     (type(to) == ptx::ScalarType::Pred) == (type(from) == ptx::ScalarType::Pred);
  return alike ? from : nullptr;
}

InterferenceGraph::InterferenceGraph(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                                     const analysis::Liveness& liveness, std::span<const RegisterFile> files)
    : files_(files) {
  for (BlockId block = 0; block < graph.blocks().size(); ++block)
    liveness.for_each_backward(block, [&](Pc pc, const RegisterSet& alive) {
      const auto* copied = copied_register(function.body[pc], function);
      const std::vector<ptx::RegisterId>& written = liveness.uses(pc).writes;
      for (std::size_t i = 0; i < written.size(); ++i) {
        add_all(written[i], alive, copied ? &copied->id : nullptr);
        for (std::size_t j = 0; j < i; ++j) add(written[i], written[j]);
      }
    });
  if (!graph.blocks().empty()) {
    const RegisterSet& unwritten = liveness.live_in(0);
    unwritten.for_each([&](ptx::RegisterId id) { add_all(id, unwritten, nullptr); });
  }
  if (std::ranges::find(files, RegisterFile::Scalar) != files.end()) add_sides(function, graph, liveness);
  sort_out(function.registers.size());
}

void InterferenceGraph::add(ptx::RegisterId a, ptx::RegisterId b) {
  if (a == b || files_[a] != files_[b]) return;
  edges_.emplace_back(a, b);
}

void InterferenceGraph::add_all(ptx::RegisterId written, const RegisterSet& alive, const ptx::RegisterId* copied) {
  alive.for_each([&](ptx::RegisterId other) {
    if (!copied || other != *copied) add(written, other);
  });
}

void InterferenceGraph::add_sides(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                                  const analysis::Liveness& liveness) {
  const analysis::Postdominators postdominators(graph);
  for (const analysis::Block& block : graph.blocks()) {
    if (!function.body[block.last - 1].guard || block.successors.size() < 2) continue;
    const Pc end = postdominators.reconvergence_pc(block.last - 1);
    for (const BlockId side : block.successors)
      for (const BlockId other : block.successors)
        if (side != other) add_other_side(graph, liveness, side, end, liveness.live_in(other));
  }
}

void InterferenceGraph::add_other_side(const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness,
                                       BlockId side, Pc end, const RegisterSet& alive) {
  std::vector<bool> reached(graph.blocks().size(), false);
  std::vector<BlockId> waiting{side};
  while (!waiting.empty()) {
    const BlockId block = waiting.back();
    waiting.pop_back();
    const analysis::Block& extent = graph.blocks()[block];
    if (reached[block] || extent.first == end) continue;
    reached[block] = true;
    for (Pc pc = extent.first; pc < extent.last; ++pc)
      for (const ptx::RegisterId written : liveness.uses(pc).writes)
        if (files_[written] == RegisterFile::Scalar) add_all(written, alive, nullptr);
    waiting.insert(waiting.end(), extent.successors.begin(), extent.successors.end());
  }
}

void InterferenceGraph::sort_out(std::size_t registers) {
  std::vector<std::uint32_t> end(registers + 1, 0);  // counts, then ends, of lists that still have duplicates
  for (const auto& [a, b] : edges_) ++end[a], ++end[b];
  std::exclusive_scan(end.begin(), end.end(), end.begin(), 0u);
  std::vector<ptx::RegisterId> lists(2 * edges_.size());
  for (const auto& [a, b] : edges_) {
    lists[end[a]++] = b;
    lists[end[b]++] = a;
  }
  edges_ = {};
  first_.assign(1, 0);
  auto from = lists.begin();
  for (std::size_t id = 0; id < registers; ++id) {
    const auto to = lists.begin() + end[id];
    std::sort(from, to);
    neighbours_.insert(neighbours_.end(), from, std::unique(from, to));
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    from = to;
  }
}

bool InterferenceGraph::interfere(ptx::RegisterId a, ptx::RegisterId b) const {
  return std::ranges::binary_search(neighbours(a), b);
}

}  // namespace warpfork::lower
