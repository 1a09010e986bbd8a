#include "lower/activation_frames.h"

#include <algorithm>
#include <variant>

#include "base/aligned.h"
#include "lower/expansion.h"
#include "lower/stack_rooms.h"
#include "ptx/operand_walk.h"

namespace warpfork::lower {

using ptx::Opcode;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;
using ptx::StateSpace;

ActivationFrames::ActivationFrames(ptx::Function& function, const Recursion& recursion)
    : function_(function), address_(function.registers[recursion.stack].type) {
  for (const Recursion::Copy& copy : recursion.copies) {
    std::uint64_t bytes = 0;
    for (const std::string& name : copy.variables) place(name, copy.frame, bytes);
    bytes_.push_back(bytes);
  }
  std::erase_if(function.variables, [&](const ptx::Variable& variable) { return places_.contains(variable.name); });
}

void ActivationFrames::place(const std::string& name, RegisterId frame, std::uint64_t& bytes) {
  const auto found = std::ranges::find(function_.variables, name, &ptx::Variable::name);
  if (found == function_.variables.end() || found->space != StateSpace::Local) return;
  alignment_ = std::max(alignment_, found->alignment);
  bytes = aligned(bytes, std::max<std::uint32_t>(found->alignment, 1));
  places_[name] = {frame, static_cast<std::int64_t>(bytes)};
  bytes += std::max<std::uint64_t>(found->bytes, 1);
}

const ActivationFrames::Place* ActivationFrames::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

void ActivationFrames::rewrite(BodyEdit& edit) {
  const auto size = static_cast<Pc>(function_.body.size());
  for (Pc pc = 0; pc < size && !places_.empty(); ++pc) {
    ptx::Instruction& instruction = function_.body[pc];
    if (becomes_addition(instruction)) continue;
    for (ptx::Operand& whole : instruction.operands)
      walk(whole, [&](ptx::Operand& operand) { rewrite(operand, instruction, pc, edit); });
  }
}

/// `mov d, variable`.
bool ActivationFrames::becomes_addition(ptx::Instruction& instruction) const {
  if (instruction.opcode != Opcode::Mov || ptx::bits_of(instruction.types.front()) != ptx::bits_of(address_))
    return false;
  const auto* symbol = instruction.operands.at(1).as<ptx::SymbolOperand>();
  const Place* const place = symbol ? find(symbol->name) : nullptr;
  if (!place) return false;
  const auto offset = static_cast<std::uint64_t>(place->offset + symbol->offset);
  instruction.opcode = Opcode::Add;
  instruction.types = {address_};
  instruction.operands = {instruction.operands[0], RegisterOperand{place->frame}, Expansion::number(offset)};
  return true;
}

void ActivationFrames::rewrite(ptx::Operand& operand, ptx::Instruction& instruction, Pc pc, BodyEdit& edit) {
  const std::string* const name = ptx::symbol_name(operand);
  const Place* const place = name ? find(*name) : nullptr;
  if (!place) return;
  if (auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
    address->offset += place->offset + std::get<ptx::SymbolOperand>(address->base).offset;
    address->base = place->frame;
    if (instruction.space == StateSpace::Generic) instruction.space = StateSpace::Local;
  } else {
    const std::int64_t offset = place->offset + std::get<ptx::SymbolOperand>(operand).offset;
    operand = RegisterOperand{address_before(pc, instruction, {place->frame, offset}, edit)};
  }
}

/// In a register as wide as the instruction reads.
RegisterId ActivationFrames::address_before(Pc pc, const ptx::Instruction& instruction, const Place& place,
                                            BodyEdit& edit) {
  Expansion before(function_, edit, pc);
  const RegisterId address = before.computed(Opcode::Add, {}, address_, RegisterOperand{place.frame},
                                             Expansion::number(static_cast<std::uint64_t>(place.offset)));
  if (instruction.types.empty() || ptx::bits_of(instruction.types.front()) >= ptx::bits_of(address_)) return address;
  const RegisterId narrow = before.fresh("%part", ScalarType::U32);
  before.add(
      before.made(Opcode::Cvt, {}, {ScalarType::U32, address_}, {RegisterOperand{narrow}, RegisterOperand{address}}));
  return narrow;
}

}  // namespace warpfork::lower
