#include "analysis/register_use.h"

#include <utility>

#include "ptx/signature.h"

namespace warpfork::analysis {

namespace {

using Registers = std::vector<ptx::RegisterId>;

void collect(const ptx::Operand& operand, bool is_destination, Registers& reads, Registers& writes) {
  if (const auto* one = operand.as<ptx::RegisterOperand>()) {
    (is_destination ? writes : reads).push_back(one->id);
  } else if (const auto* address = operand.as<ptx::AddressOperand>()) {
    if (const auto* base = std::get_if<ptx::RegisterId>(&address->base)) reads.push_back(*base);
  } else if (const auto* vector = operand.as<ptx::VectorOperand>()) {
    for (const ptx::Operand& element : vector->elements) collect(element, is_destination, reads, writes);
  } else if (const auto* pair = operand.as<ptx::PairOperand>()) {
    for (const ptx::Operand& element : pair->elements) collect(element, is_destination, reads, writes);
  }
}

void collect(const ptx::Instruction& instruction, Registers& reads, Registers& writes) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    collect(instruction.operands[i], i == 0 && ptx::has_destination(instruction), reads, writes);
  if (instruction.guard) reads.push_back(instruction.guard->predicate);
}

}  // namespace

RegisterUse registers_of(const ptx::Instruction& instruction) {
  RegisterUse use;
  collect(instruction, use.reads, use.writes);
  return use;
}

RegisterUses::RegisterUses(const ptx::Function& function) {
  entries_.reserve(function.body.size());
  ids_.reserve(4 * function.body.size());
  Registers writes;
  for (const ptx::Instruction& instruction : function.body) {
    const std::size_t first = ids_.size();
    writes.clear();
    collect(instruction, ids_, writes);
    entries_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(ids_.size() - first),
                        static_cast<std::uint32_t>(writes.size()), instruction.guard.has_value()});
    ids_.insert(ids_.end(), writes.begin(), writes.end());
  }
}

void RegisterUses::reorder(std::span<const Pc> order) {
  std::vector<Entry> entries;
  entries.reserve(order.size());
  for (const Pc pc : order) entries.push_back(entries_[pc]);
  entries_ = std::move(entries);
}

unsigned register_units(ptx::ScalarType type) {
  if (type == ptx::ScalarType::Pred) return 0;
  return (ptx::bits_of(type) + 31) / 32;
}

}  // namespace warpfork::analysis
