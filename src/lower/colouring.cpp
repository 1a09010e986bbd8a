#include "lower/colouring.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "analysis/register_use.h"
#include "lower/appearances.h"

namespace warpfork::lower {

using ptx::RegisterId;

namespace {

/// By register, the units of its file that neighbours hold: words of 64 units each.
class HeldUnits {
 public:
  explicit HeldUnits(std::size_t registers) : registers_(registers) {}

  void hold(std::span<const RegisterId> neighbours, unsigned first, unsigned count) {
    while (first / 64 >= words_.size()) words_.emplace_back(registers_, 0);
    std::vector<std::uint64_t>& word = words_[first / 64];
    const std::uint64_t units = mask(count) << first % 64;  // aligned: never in two words
    for (const RegisterId id : neighbours) word[id] |= units;
  }
  bool free(RegisterId id, unsigned first, unsigned count) const {
    return first / 64 >= words_.size() || (words_[first / 64][id] >> first % 64 & mask(count)) == 0;
  }
  unsigned lowest_free(RegisterId id, unsigned count) const {
    for (unsigned number = 0; number < words_.size(); ++number) {
      std::uint64_t starts = ~std::uint64_t{0} / mask(count);  // the aligned ones
      for (unsigned unit = 0; unit < count; ++unit) starts &= ~words_[number][id] >> unit;
      if (starts != 0) return 64 * number + static_cast<unsigned>(std::countr_zero(starts));
    }
    return 64 * static_cast<unsigned>(words_.size());
  }

 private:
  static std::uint64_t mask(unsigned count) { return (std::uint64_t{1} << count) - 1; }

  std::size_t registers_;
  std::vector<std::vector<std::uint64_t>> words_;  // by number of the word, then by register
};

/// By register, those that it is moved from or to: flat lists.
class Partners {
 public:
  Partners(std::size_t registers, std::span<const MovePair> moves) : end_(registers + 1, 0), lists_(2 * moves.size()) {
    for (const MovePair& move : moves) ++end_[move.to], ++end_[move.from];
    std::exclusive_scan(end_.begin(), end_.end(), end_.begin(), 0u);
    for (const MovePair& move : moves) {
      lists_[end_[move.to]++] = move.from;
      lists_[end_[move.from]++] = move.to;
    }
  }
  std::span<const RegisterId> of(RegisterId id) const {
    const std::uint32_t first = id == 0 ? 0 : end_[id - 1];
    return std::span(lists_).subspan(first, end_[id] - first);
  }

 private:
  std::vector<std::uint32_t> end_;
  std::vector<RegisterId> lists_;
};

/// Takes registers out of the graph, always the first of those with the fewest neighbouring units left, and gives
/// them in the opposite order.
std::vector<RegisterId> smallest_last(const ptx::Function& function, const InterferenceGraph& graph,
                                      const std::vector<RegisterId>& used) {
  std::vector<unsigned> degree(function.registers.size(), 0);
  std::vector<bool> gone(function.registers.size(), false);
  std::vector<std::vector<RegisterId>> buckets;
  const auto file_away = [&](RegisterId id) {
    if (degree[id] >= buckets.size()) buckets.resize(degree[id] + 1);
    buckets[degree[id]].push_back(id);
  };
  for (const RegisterId id : used)
    for (const RegisterId other : graph.neighbours(id)) degree[id] += units_of(function.registers[other].type);
  std::for_each(used.rbegin(), used.rend(), file_away);
  std::vector<RegisterId> order;
  for (std::size_t least = 0; least < buckets.size();) {
    if (buckets[least].empty()) {
      ++least;
      continue;
    }
    const RegisterId id = buckets[least].back();
    buckets[least].pop_back();
    if (gone[id] || degree[id] != least) continue;  // filed again since
    gone[id] = true;
    order.push_back(id);
    for (const RegisterId other : graph.neighbours(id)) {
      if (gone[other]) continue;
      degree[other] -= units_of(function.registers[id].type);
      file_away(other);
      least = std::min<std::size_t>(least, degree[other]);
    }
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace

unsigned units_of(ptx::ScalarType type) { return std::max(analysis::register_units(type), 1u); }

std::vector<RegisterId> by_appearance(const ptx::Function& function, const analysis::Liveness& liveness) {
  Appearances appearances(function.registers.size());
  const auto note = [&](RegisterId id) { appearances.note(id); };
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    std::ranges::for_each(liveness.uses(pc).reads, note);
    std::ranges::for_each(liveness.uses(pc).writes, note);
  }
  return std::move(appearances).order();
}

std::vector<RegisterId> colouring_order(const ptx::Function& function, const InterferenceGraph& graph,
                                        std::vector<RegisterId> used, ColouringOrder order) {
  return order == ColouringOrder::LiveRange ? used : smallest_last(function, graph, used);
}

std::vector<Pc> copies(const ptx::Function& function) {
  std::vector<Pc> found;
  for (Pc pc = 0; pc < function.body.size(); ++pc)
    if (copied_register(function.body[pc], function)) found.push_back(pc);
  return found;
}

std::vector<MovePair> move_pairs(const ptx::Function& function, std::span<const Pc> copies) {
  std::vector<MovePair> pairs;
  for (const Pc pc : copies) {
    const std::vector<ptx::Operand>& operands = function.body[pc].operands;
    pairs.push_back({operands[0].as<ptx::RegisterOperand>()->id, operands[1].as<ptx::RegisterOperand>()->id});
  }
  return pairs;
}

RegisterAllocation colour(const ptx::Function& function, const InterferenceGraph& graph,
                          std::span<const RegisterFile> files, std::span<const RegisterId> order,
                          std::span<const MovePair> moves) {
  RegisterAllocation result;
  result.places.resize(function.registers.size());
  for (RegisterId id = 0; id < files.size(); ++id) result.places[id].file = files[id];
  const Partners partners(function.registers.size(), moves);
  HeldUnits held(function.registers.size());
  unsigned* const counts[] = {&result.vector_registers, &result.scalar_registers, &result.predicates};
  for (const RegisterId id : order) {
    const unsigned units = units_of(function.registers[id].type);
    RegisterPlace& place = result.places[id];
    unsigned number = held.lowest_free(id, units);
    for (const RegisterId partner : partners.of(id)) {
      const RegisterPlace& there = result.places[partner];
      if (there.file != place.file || there.number == RegisterPlace::kNowhere || !held.free(id, there.number, units))
        continue;
      number = there.number;
      break;
    }
    place.number = static_cast<std::uint16_t>(number);
    held.hold(graph.neighbours(id), number, units);
    unsigned& count = *counts[static_cast<unsigned>(place.file)];
    count = std::max(count, number + units);
  }
  return result;
}

}  // namespace warpfork::lower
