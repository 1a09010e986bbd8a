#include "lower/colouring.h"

#include <algorithm>
#include <numeric>

#include "analysis/register_use.h"

namespace warpfork::lower {

using ptx::RegisterId;

namespace {

/// Units of a file that neighbours hold.
class HeldUnits {
 public:
  void clear() { std::ranges::fill(words_, 0); }
  void hold(unsigned first, unsigned count) {
    if (first + count > 64 * words_.size()) words_.resize((first + count + 63) / 64);
    words_[first / 64] |= mask(count) << first % 64;  // aligned: never in two words
  }
  bool free(unsigned first, unsigned count) const {
    return first >= 64 * words_.size() || (words_[first / 64] >> first % 64 & mask(count)) == 0;
  }
  unsigned lowest_free(unsigned count) const {
    unsigned first = 0;
    while (!free(first, count)) first += count;
    return first;
  }

 private:
  static std::uint64_t mask(unsigned count) { return (std::uint64_t{1} << count) - 1; }
  std::vector<std::uint64_t> words_;
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

/// Registers in the order of their first appearance.
std::vector<RegisterId> by_appearance(const ptx::Function& function, const analysis::Liveness& liveness) {
  std::vector<bool> seen(function.registers.size(), false);
  std::vector<RegisterId> order;
  const auto note = [&](RegisterId id) {
    if (!seen[id]) order.push_back(id);
    seen[id] = true;
  };
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    std::ranges::for_each(liveness.uses(pc).reads, note);
    std::ranges::for_each(liveness.uses(pc).writes, note);
  }
  return order;
}

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

std::vector<RegisterId> colouring_order(const ptx::Function& function, const analysis::Liveness& liveness,
                                        const InterferenceGraph& graph, ColouringOrder order) {
  std::vector<RegisterId> used = by_appearance(function, liveness);
  return order == ColouringOrder::LiveRange ? used : smallest_last(function, graph, used);
}

std::vector<MovePair> move_pairs(const ptx::Function& function) {
  std::vector<MovePair> pairs;
  for (const ptx::Instruction& instruction : function.body)
    if (const auto* from = copied_register(instruction, function))
      pairs.push_back({instruction.operands[0].as<ptx::RegisterOperand>()->id, from->id});
  return pairs;
}

RegisterAllocation colour(const ptx::Function& function, const InterferenceGraph& graph,
                          std::span<const RegisterFile> files, std::span<const RegisterId> order,
                          std::span<const MovePair> moves) {
  RegisterAllocation result;
  result.places.resize(function.registers.size());
  for (RegisterId id = 0; id < files.size(); ++id) result.places[id].file = files[id];
  const Partners partners(function.registers.size(), moves);
  std::vector<std::uint8_t> units_of_register;
  for (const ptx::Register& reg : function.registers)
    units_of_register.push_back(static_cast<std::uint8_t>(units_of(reg.type)));
  HeldUnits held;
  unsigned* const counts[] = {&result.vector_registers, &result.scalar_registers, &result.predicates};
  for (const RegisterId id : order) {
    held.clear();
    for (const RegisterId other : graph.neighbours(id))
      if (const unsigned number = result.places[other].number; number != RegisterPlace::kNowhere)
        held.hold(number, units_of_register[other]);
    const unsigned units = units_of_register[id];
    RegisterPlace& place = result.places[id];
    unsigned number = held.lowest_free(units);
    for (const RegisterId partner : partners.of(id)) {
      const RegisterPlace& there = result.places[partner];
      if (there.file != place.file || there.number == RegisterPlace::kNowhere || !held.free(there.number, units))
        continue;
      number = there.number;
      break;
    }
    place.number = static_cast<std::uint16_t>(number);
    unsigned& count = *counts[static_cast<unsigned>(place.file)];
    count = std::max(count, number + units);
  }
  return result;
}

}  // namespace warpfork::lower
