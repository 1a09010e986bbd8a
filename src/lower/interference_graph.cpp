#include "lower/interference_graph.h"

#include <algorithm>
#include <numeric>

#include "analysis/influence_region.h"

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
                                     const analysis::Liveness& liveness, std::span<const RegisterFile> files,
                                     SideOrder sides)
    : files_(files) {
  for (BlockId block = 0; block < graph.blocks().size(); ++block)
    liveness.for_each_backward(block, [&](Pc pc, const RegisterSet& alive) {
      const auto* copied = copied_register(function.body[pc], function);
      const std::span<const ptx::RegisterId> written = liveness.uses(pc).writes;
      for (std::size_t i = 0; i < written.size(); ++i) {
        add_all(written[i], alive, copied ? &copied->id : nullptr);
        for (std::size_t j = 0; j < i; ++j) add(written[i], written[j]);
      }
    });
  if (!graph.blocks().empty()) {
    const RegisterSet& unwritten = liveness.live_in(0);
    unwritten.for_each([&](ptx::RegisterId id) { add_all(id, unwritten, nullptr); });
  }
  if (std::ranges::find(files, RegisterFile::Scalar) != files.end()) add_sides(graph, liveness, sides);
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

void InterferenceGraph::add_sides(const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness,
                                  SideOrder sides) {
  const analysis::Postdominators postdominators(graph);
  const auto writes = [&](BlockId block, auto&& visit) {
    for (Pc pc = graph.blocks()[block].first; pc < graph.blocks()[block].last; ++pc)
      for (const ptx::RegisterId written : liveness.uses(pc).writes)
        if (files_[written] == RegisterFile::Scalar) visit(written);
  };
  for (BlockId parting = 0; parting < graph.blocks().size(); ++parting) {
    const std::vector<BlockId>& starts = graph.blocks()[parting].successors;
    if (starts.size() < 2) continue;
    const std::vector<std::vector<BlockId>> ways = analysis::blocks_of_sides(graph, postdominators, parting);
    for (std::size_t other = 0; other < ways.size(); ++other) {
      RegisterSet kept = liveness.live_in(starts[other]);
      if (sides == SideOrder::AtOnce)
        for (const BlockId block : ways[other]) {
          kept |= liveness.live_in(block);
          writes(block, [&](ptx::RegisterId written) { kept.insert(written); });
        }
      for (std::size_t side = 0; side < ways.size(); ++side)
        if (side != other)
          for (const BlockId block : ways[side])
            writes(block, [&](ptx::RegisterId written) { add_all(written, kept, nullptr); });
    }
  }
}

/// Registers put themselves, in ascending order, on the lists of their neighbours, which are in that order then, with
/// duplicates behind each other: no list need be sorted.
void InterferenceGraph::sort_out(std::size_t registers) {
  std::vector<std::uint32_t> begin(registers + 1, 0);  // of lists that have room for duplicates; first: their lengths
  for (const auto& [a, b] : edges_) ++begin[a], ++begin[b];
  std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0u);
  std::vector<ptx::RegisterId> lists(2 * edges_.size()), sorted(lists.size());
  std::vector<std::uint32_t> end = begin;
  for (const auto& [a, b] : edges_) {
    lists[end[a]++] = b;
    lists[end[b]++] = a;
  }
  edges_ = {};
  end = begin;
  for (ptx::RegisterId id = 0; id < registers; ++id)
    for (std::uint32_t i = begin[id]; i < begin[id + 1]; ++i) {
      std::uint32_t& at = end[lists[i]];
      if (at == begin[lists[i]] || sorted[at - 1] != id) sorted[at++] = id;
    }
  first_.assign(1, 0);
  for (ptx::RegisterId id = 0; id < registers; ++id) {
    neighbours_.insert(neighbours_.end(), sorted.begin() + begin[id], sorted.begin() + end[id]);
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }
}

bool InterferenceGraph::interfere(ptx::RegisterId a, ptx::RegisterId b) const {
  return std::ranges::binary_search(neighbours(a), b);
}

}  // namespace warpfork::lower
