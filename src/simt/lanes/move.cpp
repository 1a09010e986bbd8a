// PTX ISA, "Data Movement": mov with its packing and unpacking forms, cvta and isspacep; clocks.
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Opcode;
using ptx::ScalarType;
using std::uint32_t;
using std::uint64_t;

struct Same {
  template <typename T>
  static T apply(T a) {
    return a;
  }
};

/// Negated if Instruction::immediate is not 0.
void copy_predicate(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const uint32_t value = warp.predicates[instruction.operand[1]];
  set_predicate(warp, instruction.operand[0], RowLanes(instruction.immediate ? ~value : value), lanes);
}

/// operand[0] = the elements from operand[1] on, the first in the lowest bits.
template <typename Whole, typename Part>
void pack(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  constexpr unsigned kParts = sizeof(Whole) / sizeof(Part);
  std::byte* const registers = warp.registers;
  const uint32_t* const operand = instruction.operand.data();
  for_active_lanes<Whole>(registers + operand[0], lanes, [=](unsigned lane) {
    Whole whole = 0;
    for (unsigned i = 0; i < kParts; ++i)
      whole |= static_cast<Whole>(Row<Part>(registers + operand[1 + i])[lane]) << (8 * sizeof(Part) * i);
    return whole;
  });
}

/// The elements from operand[1] on = operand[0].
template <typename Whole, typename Part>
void unpack(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  constexpr unsigned kParts = sizeof(Whole) / sizeof(Part);
  std::byte* const registers = warp.registers;
  const uint32_t* const operand = instruction.operand.data();
  lanes.for_each([=](unsigned lane) {
    const Whole whole = Row<Whole>(registers + operand[0])[lane];
    for (unsigned i = 0; i < kParts; ++i)
      set_lane<Part>(registers + operand[1 + i], lane, static_cast<Part>(whole >> (8 * sizeof(Part) * i)));
  });
}

/// Instruction::immediate is the start of the space's window, or minus that for cvta.to. Widths as the type says.
template <typename T>
void shift_address(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Row<T> a(warp.registers + instruction.operand[1]);
  const T window = static_cast<T>(instruction.immediate);
  for_lanes<T>(warp.registers + instruction.operand[0], lanes, [=](unsigned lane) { return a[lane] + window; });
}

/// Instruction::immediate is the start of the window in its lower half and the end in its upper half; end 0 = no end.
template <typename T>
void is_in_space(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Row<T> a(warp.registers + instruction.operand[1]);
  const uint64_t begin = static_cast<uint32_t>(instruction.immediate), end = instruction.immediate >> 32;
  const uint64_t size = end == 0 ? ~uint64_t{0} - begin : end - begin;
  const RowLanes result = collect<uint64_t>([=](unsigned lane) { return uint64_t{a[lane]} - begin < size; });
  set_predicate(warp, instruction.operand[0], result, lanes);
}

template <typename T>
void read_clock(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const T clock = static_cast<T>(warp.clock >> instruction.immediate);
  for_lanes<T>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return clock; });
}

Handler select_packing(unsigned bits, std::size_t parts, bool packs) {
  if (bits == 64 && parts == 2) return packs ? pack<uint64_t, uint32_t> : unpack<uint64_t, uint32_t>;
  if (bits == 64 && parts == 4) return packs ? pack<uint64_t, std::uint16_t> : unpack<uint64_t, std::uint16_t>;
  if (bits == 32 && parts == 2) return packs ? pack<uint32_t, std::uint16_t> : unpack<uint32_t, std::uint16_t>;
  if (bits == 32 && parts == 4) return packs ? pack<uint32_t, std::uint8_t> : unpack<uint32_t, std::uint8_t>;
  if (bits == 16 && parts == 2) return packs ? pack<std::uint16_t, std::uint8_t> : unpack<std::uint16_t, std::uint8_t>;
  return nullptr;
}

bool is_clock(ptx::SpecialRegister name) {
  using enum ptx::SpecialRegister;
  return name == Clock || name == ClockHi || name == Clock64 || name == Globaltimer || name == GlobaltimerLo ||
         name == GlobaltimerHi;
}

Handler select_mov(const Operation& operation) {
  const auto& operands = operation.instruction.operands;
  const unsigned bits = ptx::bits_of(operation.type());
  if (operands.size() != 2) return nullptr;
  if (const auto* parts = operands[0].as<ptx::VectorOperand>())
    return operands[1].as<ptx::VectorOperand>() ? nullptr : select_packing(bits, parts->elements.size(), false);
  if (const auto* parts = operands[1].as<ptx::VectorOperand>())
    return select_packing(bits, parts->elements.size(), true);
  if (operation.type() == ScalarType::Pred) return copy_predicate;
  if (const auto* special = operands[1].as<ptx::SpecialRegisterOperand>(); special && is_clock(special->name))
    return bits == 64 ? read_clock<uint64_t> : read_clock<uint32_t>;
  return for_width(operation.type(), [&](auto t) -> Handler {
    using T = decltype(t);
    return reads_literal(operation) ? lanewise<Same, T, Literal<T>> : lanewise<Same, T, T>;
  });
}

}  // namespace

Handler select_move(const Operation& operation) {
  const bool wide = ptx::bits_of(operation.type()) == 64;
  switch (operation.instruction.opcode) {
    case Opcode::Mov:
      return select_mov(operation);
    case Opcode::Cvta:
      return wide ? shift_address<uint64_t> : shift_address<uint32_t>;
    case Opcode::Isspacep:
      return operation.wide_source ? is_in_space<uint64_t> : is_in_space<uint32_t>;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
