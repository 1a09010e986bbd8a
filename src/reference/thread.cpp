#include "reference/thread.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "ptx/operand_elements.h"
#include "reference/soft_float.h"
#include "reference/special_registers.h"

namespace warpfork::reference {
namespace {

using ptx::ScalarType;
using ptx::StateSpace;

std::uint64_t immediate(const ptx::ImmediateOperand& operand, ScalarType type) {
  using Kind = ptx::ImmediateOperand::Kind;
  const bool to_single = operand.kind == Kind::Float64 && type == ScalarType::F32;
  const bool to_double = operand.kind == Kind::Float32 && type == ScalarType::F64;
  if (to_single) return encode(decode(operand.bits, kF64), kF32, Rounding::NearestEven);
  if (to_double) return encode(decode(operand.bits, kF32), kF64, Rounding::NearestEven);
  return truncate(operand.bits, ptx::bits_of(type));
}

bool is_private(const ptx::Variable& variable) {
  return variable.space == StateSpace::Local || variable.space == StateSpace::Param;
}

}  // namespace

Thread::Thread(BlockState& block, const ptx::Function& entry, const std::vector<std::byte>& parameters, unsigned number)
    : block_(block), number_(number) {
  std::uint32_t alignment = 1;
  for (const ptx::Variable& parameter : entry.parameters) alignment = std::max(alignment, parameter.alignment);
  const Place place = memory_.reserve(StateSpace::Param, entry.parameter_bytes(), alignment);
  const std::size_t given = std::min<std::size_t>(entry.parameter_bytes(), parameters.size());
  if (given != 0) std::memcpy(memory_.find(place, given), parameters.data(), given);
  enter(entry);
  const std::vector<std::uint64_t> offsets = entry.parameter_offsets();
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    frames_.back().symbols[entry.parameters[i].name] = {StateSpace::Param, offsets[i]};
}

void Thread::enter(const ptx::Function& function) {
  Frame frame;
  frame.function = &function;
  frame.registers.assign(function.registers.size(), 0);
  frame.caller_memory = memory_.mark();
  const auto reserve = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables)
      if (is_private(variable))
        frame.symbols[variable.name] = memory_.reserve(variable.space, variable.bytes, variable.alignment);
  };
  reserve(function.variables);
  if (!function.is_entry) {
    reserve(function.returns);
    reserve(function.parameters);
  }
  frames_.push_back(std::move(frame));
}

const ptx::Instruction& Thread::instruction() const {
  const Frame& frame = frames_.back();
  if (frame.pc >= frame.function->body.size()) throw Error("'{}' ends without ret or exit", frame.function->name);
  return frame.function->body[frame.pc];
}

bool Thread::guard_holds() const {
  const auto& guard = instruction().guard;
  return !guard || (frames_.back().registers[guard->predicate] != 0) != guard->negated;
}

const ptx::Operand& Thread::operand(std::size_t index) const {
  if (index >= instruction().operands.size()) reject("operand missing");
  return instruction().operands[index];
}

std::uint64_t Thread::read(const ptx::Operand& operand, ScalarType type) const {
  const unsigned bits = ptx::bits_of(type);
  if (bits > 64) reject("128-bit operands are not supported");
  if (const auto* reg = operand.as<ptx::RegisterOperand>()) {
    const std::uint64_t value = truncate(frames_.back().registers[reg->id], bits);
    return reg->negated ? truncate(~value, bits) : value;
  }
  if (const auto* name = operand.as<ptx::SpecialRegisterOperand>()) {
    if (const auto value = special_register(*name, block_, number_)) return truncate(*value, bits);
    reject("special register '%" + std::string(ptx::to_string(name->name)) + "' is not supported");
  }
  if (const auto* literal = operand.as<ptx::ImmediateOperand>()) return immediate(*literal, type);
  if (const auto* name = operand.as<ptx::SymbolOperand>()) return truncate(symbol(*name).address, bits);
  if (const auto* vector = operand.as<ptx::VectorOperand>()) {
    const auto width = static_cast<unsigned>(bits / vector->elements.size());
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < vector->elements.size(); ++i)
      value |= truncate(read(vector->elements[i], type), width) << (i * width);
    return value;
  }
  reject("an operand of this kind cannot be read");
}

void Thread::write(const ptx::Operand& operand, std::uint64_t value, ScalarType type) {
  const unsigned bits = ptx::bits_of(type);
  if (bits > 64) reject("128-bit operands are not supported");
  value = truncate(value, bits);
  if (operand.as<ptx::SinkOperand>()) return;
  if (const auto* reg = operand.as<ptx::RegisterOperand>()) {
    const unsigned width = ptx::bits_of(frames_.back().function->registers[reg->id].type);
    const std::uint64_t extended = ptx::is_signed(type) ? static_cast<std::uint64_t>(sign_extend(value, bits)) : value;
    frames_.back().registers[reg->id] = truncate(extended, width);
    return;
  }
  if (const auto* vector = operand.as<ptx::VectorOperand>()) {
    const auto width = static_cast<unsigned>(bits / vector->elements.size());
    for (std::size_t i = 0; i < vector->elements.size(); ++i)
      write(vector->elements[i], truncate(value >> (i * width), width), type);
    return;
  }
  reject("an operand of this kind cannot be written");
}

Place Thread::symbol(const ptx::SymbolOperand& operand) const {
  const Frame& frame = frames_.back();
  Place place;
  if (const auto local = frame.symbols.find(operand.name); local != frame.symbols.end()) {
    place = local->second;
  } else if (const Place* shared = block_.placement.find(*frame.function, operand.name)) {
    place = *shared;
  } else {
    reject("the address of '" + operand.name + "' is not supported");
  }
  place.address += static_cast<std::uint64_t>(operand.offset);
  return place;
}

std::span<const ptx::Operand> Thread::elements(std::size_t index) const {
  const std::span<const ptx::Operand> elements = ptx::elements_of(operand(index));
  if (elements.size() != instruction().vector_width)
    reject(fmt::format("it takes {} elements", instruction().vector_width));
  return elements;
}

Place Thread::place_of(const ptx::AddressOperand& address) const {
  Place place;
  place.space = instruction().space;
  unsigned width = block_.placement.module().address_bits;
  if (const auto* name = std::get_if<ptx::SymbolOperand>(&address.base)) {
    place = symbol(*name);
  } else if (const auto* reg = std::get_if<ptx::RegisterId>(&address.base)) {
    place.address = frames_.back().registers[*reg];
    width = std::min(width, ptx::bits_of(frames_.back().function->registers[*reg].type));
  } else {
    place.address = std::get<std::uint64_t>(address.base);
  }
  place.address = truncate(place.address + static_cast<std::uint64_t>(address.offset), width);
  return place.space == StateSpace::Generic ? resolve_generic(place.address) : place;
}

std::byte* Thread::bytes_at(const Place& place, unsigned bytes) const {
  if (bytes > sizeof(std::uint64_t)) reject("128-bit accesses are not supported");
  std::byte* found = nullptr;
  switch (place.space) {
    case StateSpace::Shared:
      if (place.address <= block_.shared.size() && block_.shared.size() - place.address >= bytes)
        found = block_.shared.data() + place.address;
      break;
    case StateSpace::Local:
    case StateSpace::Param:
      found = memory_.find(place, bytes);
      break;
    default:
      found = block_.placement.memory().find(place.address, bytes);
  }
  if (found == nullptr) reject(fmt::format("address {:#x} is out of bounds", place.address));
  if (place.address % bytes != 0) reject(fmt::format("address {:#x} is misaligned", place.address));
  return found;
}

std::uint64_t Thread::load(const Place& place, unsigned bytes) const {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes_at(place, bytes), bytes);
  return value;
}

void Thread::store(const Place& place, unsigned bytes, std::uint64_t value) {
  std::memcpy(bytes_at(place, bytes), &value, bytes);
}

std::string Thread::describe() const {
  const Dim3 at = block_.block.position_of(number_), index = block_.index;
  const ptx::Instruction& now = instruction();
  return fmt::format("thread ({},{},{}) of block ({},{},{}), {}:{}, '{}'", at.x, at.y, at.z, index.x, index.y, index.z,
                     block_.placement.module().name, now.location.line, ptx::to_string(now.opcode));
}

void Thread::reject(const std::string& cause) const { throw Error("{}: {}", describe(), cause); }

std::vector<std::pair<const ptx::Function*, Pc>> Thread::position() const {
  std::vector<std::pair<const ptx::Function*, Pc>> stack;
  for (const Frame& frame : frames_) stack.emplace_back(frame.function, frame.pc);
  return stack;
}

}  // namespace warpfork::reference
