#include "lower/interference_graph.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include "analysis/influence_region.h"
#include "analysis/postdominators.h"

namespace warpfork::lower {

using analysis::BlockId;
using analysis::RegisterSet;
using ptx::RegisterId;

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

namespace {

/// By number, lists that lie one behind the other.
struct Lists {
  std::vector<std::uint32_t> first;
  std::vector<RegisterId> elements;

  /// With room for so many elements each.
  explicit Lists(std::vector<std::uint32_t> sizes) : first(std::move(sizes)) {
    first.push_back(0);
    std::exclusive_scan(first.begin(), first.end(), first.begin(), 0u);
    elements.resize(first.back());
  }
  std::span<RegisterId> of(std::size_t number) {
    return std::span(elements).subspan(first[number], first[number + 1] - first[number]);
  }
};

/// Interferences of registers of one file, as they are found write by write.
class Found {
 public:
  explicit Found(std::span<const RegisterFile> files) : files_(files) {}

  RegisterFile file(RegisterId id) const { return files_[id]; }
  void add(RegisterId a, RegisterId b) {
    if (a == b || files_[a] != files_[b]) return;
    others_.push_back(b);
    writes_.push_back({a, static_cast<std::uint32_t>(others_.size())});
  }
  void add_all(RegisterId written, const RegisterSet& alive, const RegisterId* copied) {
    const std::size_t before = others_.size();
    const RegisterFile file = files_[written];
    alive.for_each([&](RegisterId other) {
      if (files_[other] == file && other != written && (!copied || other != *copied)) others_.push_back(other);
    });
    if (others_.size() != before) writes_.push_back({written, static_cast<std::uint32_t>(others_.size())});
  }
  /// By register, those that it interferes with in ascending order. What was found is gone then.
  std::vector<std::vector<RegisterId>> neighbours();

 private:
  /// What a register cannot share a place with by one of its writes: others_ up to `end`, from the write before.
  struct Write {
    RegisterId written;
    std::uint32_t end;
  };
  Lists by_writer();

  std::span<const RegisterFile> files_;
  std::vector<Write> writes_;
  std::vector<RegisterId> others_;  // of each write, in ascending order
};

Lists Found::by_writer() {
  std::vector<std::uint32_t> sizes(files_.size(), 0);
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
  return own;
}

/// Most registers are written once, so that what one interferes with by its own writes is in order; and so are those
/// that interfere with it by theirs, if they come in their own order. The two are merged.
std::vector<std::vector<RegisterId>> Found::neighbours() {
  Lists own = by_writer();
  std::vector<std::uint32_t> end, sizes(files_.size(), 0);
  for (RegisterId id = 0; id < files_.size(); ++id) {
    const std::span<RegisterId> list = own.of(id);
    if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
    end.push_back(own.first[id] + static_cast<std::uint32_t>(std::unique(list.begin(), list.end()) - list.begin()));
    for (const RegisterId other : list.first(end[id] - own.first[id])) ++sizes[other];
  }
  Lists of_others(std::move(sizes));
  std::vector<std::uint32_t> filled(of_others.first.begin(), of_others.first.end() - 1);
  for (RegisterId id = 0; id < files_.size(); ++id)
    for (std::uint32_t i = own.first[id]; i < end[id]; ++i) of_others.elements[filled[own.elements[i]]++] = id;
  std::vector<std::vector<RegisterId>> merged(files_.size());
  for (RegisterId id = 0; id < files_.size(); ++id) {
    const std::span<RegisterId> ours = own.of(id).first(end[id] - own.first[id]), theirs = of_others.of(id);
    merged[id].reserve(ours.size() + theirs.size());
    std::ranges::set_union(ours, theirs, std::back_inserter(merged[id]));
  }
  return merged;
}

void find_sides(Found& found, const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness,
                const SideOrder& sides) {
  const analysis::Postdominators postdominators(graph, sides.leavers);
  const auto writes = [&](BlockId block, auto&& visit) {
    for (Pc pc = graph.blocks()[block].first; pc < graph.blocks()[block].last; ++pc)
      for (const RegisterId written : liveness.uses(pc).writes)
        if (found.file(written) == RegisterFile::Scalar) visit(written);
  };
  for (BlockId parting = 0; parting < graph.blocks().size(); ++parting) {
    const std::vector<BlockId>& starts = graph.blocks()[parting].successors;
    if (starts.size() < 2) continue;
    const std::vector<std::vector<BlockId>> ways = analysis::blocks_of_sides(graph, postdominators, parting);
    for (std::size_t other = 0; other < ways.size(); ++other) {
      RegisterSet kept = liveness.live_in(starts[other]);
      if (sides.at_once)
        for (const BlockId block : ways[other]) {
          kept |= liveness.live_in(block);
          writes(block, [&](RegisterId written) { kept.insert(written); });
        }
      for (std::size_t side = 0; side < ways.size(); ++side)
        if (side != other)
          for (const BlockId block : ways[side])
            writes(block, [&](RegisterId written) { found.add_all(written, kept, nullptr); });
    }
  }
}

}  // namespace

InterferenceGraph::InterferenceGraph(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                                     const analysis::Liveness& liveness, std::span<const RegisterFile> files,
                                     const SideOrder& sides) {
  Found found(files);
  for (BlockId block = 0; block < graph.blocks().size(); ++block)
    liveness.for_each_backward(block, [&](Pc pc, const RegisterSet& alive) {
      const auto* copied = copied_register(function.body[pc], function);
      const std::span<const RegisterId> written = liveness.uses(pc).writes;
      for (std::size_t i = 0; i < written.size(); ++i) {
        found.add_all(written[i], alive, copied ? &copied->id : nullptr);
        for (std::size_t j = 0; j < i; ++j) found.add(written[i], written[j]);
      }
    });
  if (!graph.blocks().empty()) {
    const RegisterSet& unwritten = liveness.live_in(0);
    unwritten.for_each([&](RegisterId id) { found.add_all(id, unwritten, nullptr); });
  }
  if (std::ranges::find(files, RegisterFile::Scalar) != files.end()) find_sides(found, graph, liveness, sides);
  neighbours_ = found.neighbours();
}

bool InterferenceGraph::interfere(RegisterId a, RegisterId b) const {
  return std::ranges::binary_search(neighbours_[a], b);
}

void InterferenceGraph::add(std::vector<RegisterId> neighbours) {
  const auto id = static_cast<RegisterId>(neighbours_.size());
  for (const RegisterId other : neighbours) neighbours_[other].push_back(id);
  neighbours_.push_back(std::move(neighbours));
}

void InterferenceGraph::remove(std::span<const RegisterId> ids) {
  RegisterSet gone(neighbours_.size()), around(neighbours_.size());
  for (const RegisterId id : ids) {
    gone.insert(id);
    for (const RegisterId other : std::exchange(neighbours_[id], {})) around.insert(other);
  }
  around.for_each(
      [&](RegisterId other) { std::erase_if(neighbours_[other], [&](RegisterId id) { return gone.contains(id); }); });
}

}  // namespace warpfork::lower
