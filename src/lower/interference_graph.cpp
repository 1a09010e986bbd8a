#include "lower/interference_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

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
  others_.push_back(b);
  writes_.push_back({a, static_cast<std::uint32_t>(others_.size())});
}

void InterferenceGraph::add_all(ptx::RegisterId written, const RegisterSet& alive, const ptx::RegisterId* copied) {
  const std::size_t before = others_.size();
  const RegisterFile file = files_[written];
  alive.for_each([&](ptx::RegisterId other) {
    if (files_[other] == file && other != written && (!copied || other != *copied)) others_.push_back(other);
  });
  if (others_.size() != before) writes_.push_back({written, static_cast<std::uint32_t>(others_.size())});
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

namespace {

/// By number, lists that lie one behind the other.
struct Lists {
  std::vector<std::uint32_t> first;
  std::vector<ptx::RegisterId> elements;

  /// With room for so many elements each.
  explicit Lists(std::vector<std::uint32_t> sizes) : first(std::move(sizes)) {
    first.push_back(0);
    std::exclusive_scan(first.begin(), first.end(), first.begin(), 0u);
    elements.resize(first.back());
  }
  std::span<ptx::RegisterId> of(std::size_t number) {
    return std::span(elements).subspan(first[number], first[number + 1] - first[number]);
  }
};

}  // namespace

/// Most registers are written once, so that what one interferes with by its own writes is in order; and so are those
/// that interfere with it by theirs, if they come in their own order. The two are merged.
void InterferenceGraph::sort_out(std::size_t registers) {
  std::vector<std::uint32_t> sizes(registers, 0);
  for (std::uint32_t begin = 0; const Write& write : writes_)
    sizes[write.written] += write.end - std::exchange(begin, write.end);
  Lists own(std::move(sizes));
  std::vector<std::uint32_t> end(own.first.begin(), own.first.end() - 1);
  for (std::uint32_t begin = 0; const Write& write : writes_) {
    const auto place = own.elements.begin() + end[write.written];
    std::copy(others_.begin() + begin, others_.begin() + write.end, place);
    end[write.written] += write.end - std::exchange(begin, write.end);
  }
  writes_ = {};
  others_ = {};
  sizes.assign(registers, 0);
  for (ptx::RegisterId id = 0; id < registers; ++id) {
    const std::span<ptx::RegisterId> list = own.of(id);
    if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
    end[id] = own.first[id] + static_cast<std::uint32_t>(std::unique(list.begin(), list.end()) - list.begin());
    for (const ptx::RegisterId other : list.first(end[id] - own.first[id])) ++sizes[other];
  }
  Lists of_others(std::move(sizes));
  std::vector<std::uint32_t> filled(of_others.first.begin(), of_others.first.end() - 1);
  for (ptx::RegisterId id = 0; id < registers; ++id)
    for (std::uint32_t i = own.first[id]; i < end[id]; ++i) of_others.elements[filled[own.elements[i]]++] = id;
  neighbours_.resize(own.elements.size() + of_others.elements.size());
  auto next = neighbours_.begin();
  first_.assign(1, 0);
  for (ptx::RegisterId id = 0; id < registers; ++id) {
    const std::span<ptx::RegisterId> theirs = of_others.of(id);
    next = std::set_union(own.elements.begin() + own.first[id], own.elements.begin() + end[id], theirs.begin(),
                          theirs.end(), next);
    first_.push_back(static_cast<std::uint32_t>(next - neighbours_.begin()));
  }
  neighbours_.resize(first_.back());
}

bool InterferenceGraph::interfere(ptx::RegisterId a, ptx::RegisterId b) const {
  return std::ranges::binary_search(neighbours(a), b);
}

}  // namespace warpfork::lower
