// PTX ISA, "Logic and Shift Instructions", and the bit-field instructions of "Integer Arithmetic Instructions".
#include <algorithm>
#include <bit>

#include "reference/execute.h"

namespace warpfork::reference {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

bool bit(std::uint64_t value, unsigned position) { return ((value >> position) & 1) != 0; }

std::uint64_t shifted(const Thread& thread, ScalarType type) {
  const unsigned bits = ptx::bits_of(type);
  const std::uint64_t a = thread.read(1, type), amount = thread.read(2, ScalarType::U32);
  const auto clamped = static_cast<unsigned>(std::min<std::uint64_t>(amount, bits));
  if (thread.instruction().opcode == Opcode::Shl) return clamped == 64 ? 0 : a << clamped;
  if (ptx::is_signed(type)) return static_cast<std::uint64_t>(sign_extend(a, bits) >> std::min(clamped, 63u));
  return clamped == 64 ? 0 : a >> clamped;
}

std::uint64_t funnel_shifted(const Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const std::uint64_t amount = thread.read(3, ScalarType::U32);
  const std::uint64_t n = instruction.has(Modifier::Clamp) ? std::min<std::uint64_t>(amount, 32) : amount % 32;
  const std::uint64_t both = thread.read(2, ScalarType::B32) << 32 | thread.read(1, ScalarType::B32);
  return instruction.has(Modifier::L) ? truncate(n == 32 ? both : (both << n) >> 32, 32) : truncate(both >> n, 32);
}

void lop3(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const std::uint64_t a = thread.read(1, ScalarType::B32), b = thread.read(2, ScalarType::B32);
  const std::uint64_t c = thread.read(3, ScalarType::B32), table = thread.read(4, ScalarType::U32);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned index = bit(a, i) * 4u + bit(b, i) * 2u + bit(c, i);
    result |= std::uint64_t{bit(table, index)} << i;
  }
  const auto* pair = thread.operand(0).as<ptx::PairOperand>();
  if (pair == nullptr) return thread.write(0, result, ScalarType::B32);
  const bool other = thread.read(5, ScalarType::Pred) != 0;
  const bool predicate = instruction.has(Modifier::Or) ? result != 0 || other : result != 0 && other;
  thread.write(pair->elements[0], result, ScalarType::B32);
  thread.write(pair->elements[1], predicate ? 1 : 0, ScalarType::Pred);
}

/// Position of the most significant bit that differs from the sign; all ones if there is none.
std::uint64_t bfind(const Thread& thread, ScalarType type) {
  const unsigned bits = ptx::bits_of(type);
  std::uint64_t value = thread.read(1, type);
  if (ptx::is_signed(type) && bit(value, bits - 1)) value = truncate(~value, bits);
  if (value == 0) return 0xffffffff;
  const auto position = static_cast<unsigned>(std::bit_width(value) - 1);
  return thread.instruction().has(Modifier::Shiftamt) ? bits - 1 - position : position;
}

std::uint64_t bfe(const Thread& thread, ScalarType type) {
  const unsigned bits = ptx::bits_of(type), msb = bits - 1;
  const std::uint64_t a = thread.read(1, type);
  const auto position = static_cast<unsigned>(thread.read(2, ScalarType::U32) & 0xff);
  const auto length = static_cast<unsigned>(thread.read(3, ScalarType::U32) & 0xff);
  const bool fill = ptx::is_signed(type) && length != 0 && bit(a, std::min(position + length - 1, msb));
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= std::uint64_t{i < length && position + i <= msb ? bit(a, position + i) : fill} << i;
  return result;
}

std::uint64_t bfi(const Thread& thread, ScalarType type) {
  const unsigned msb = ptx::bits_of(type) - 1;
  const std::uint64_t a = thread.read(1, type);
  std::uint64_t result = thread.read(2, type);
  const auto position = static_cast<unsigned>(thread.read(3, ScalarType::U32) & 0xff);
  const auto length = static_cast<unsigned>(thread.read(4, ScalarType::U32) & 0xff);
  for (unsigned i = 0; i < length && position + i <= msb; ++i) {
    const std::uint64_t mask = std::uint64_t{1} << (position + i);
    result = bit(a, i) ? result | mask : result & ~mask;
  }
  return result;
}

std::uint64_t szext(const Thread& thread, ScalarType type) {
  const std::uint64_t a = thread.read(1, type), wanted = thread.read(2, ScalarType::U32);
  if (wanted >= 32 && thread.instruction().has(Modifier::Clamp)) return a;
  const auto width = static_cast<unsigned>(wanted % 32);
  if (width == 0) return 0;
  const std::uint64_t field = truncate(a, width);
  return ptx::is_signed(type) ? static_cast<std::uint64_t>(sign_extend(field, width)) : field;
}

std::uint64_t bmsk(const Thread& thread) {
  const std::uint64_t start = thread.read(1, ScalarType::B32), width = thread.read(2, ScalarType::B32);
  const bool clamp = thread.instruction().has(Modifier::Clamp);
  if (clamp && start >= 32) return 0;
  const std::uint64_t from = start % 32, count = clamp && width >= 32 ? 32 : width % 32;
  std::uint64_t mask = 0;
  for (std::uint64_t i = from; i < 32 && i < from + count; ++i) mask |= std::uint64_t{1} << i;
  return mask;
}

/// The offset-th set bit from base on, upwards or, if negative, downwards.
std::uint64_t fns(const Thread& thread) {
  const std::uint64_t mask = thread.read(1, ScalarType::B32);
  const auto base = static_cast<std::int64_t>(thread.read(2, ScalarType::B32));
  const std::int64_t offset = sign_extend(thread.read(3, ScalarType::S32), 32);
  if (base > 31) return 0xffffffff;
  if (offset == 0) return bit(mask, static_cast<unsigned>(base)) ? static_cast<std::uint64_t>(base) : 0xffffffff;
  std::int64_t missing = offset < 0 ? -offset : offset;
  for (std::int64_t i = base; i >= 0 && i<32; i += offset> 0 ? 1 : -1)
    if (bit(mask, static_cast<unsigned>(i)) && --missing == 0) return static_cast<std::uint64_t>(i);
  return 0xffffffff;
}

std::uint64_t reversed(std::uint64_t value, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= std::uint64_t{bit(value, i)} << (bits - 1 - i);
  return result;
}

/// Byte `index` of the eight bytes b:a that prmt chooses for result byte i under a mode, or by selector nibbles.
unsigned prmt_choice(const ptx::Instruction& instruction, std::uint64_t selector, unsigned i) {
  const auto low = static_cast<unsigned>(selector & 3);
  if (instruction.has(Modifier::F4e)) return low + i;
  if (instruction.has(Modifier::B4e)) return (low + 8 - i) % 8;
  if (instruction.has(Modifier::Rc8)) return low;
  if (instruction.has(Modifier::Ecl)) return std::max(i, low);
  if (instruction.has(Modifier::Ecr)) return std::min(i, low);
  if (instruction.has(Modifier::Rc16)) return (low & 1) * 2 + i % 2;
  return static_cast<unsigned>(selector >> (4 * i)) & 15;
}

std::uint64_t prmt(const Thread& thread) {
  const std::uint64_t bytes = thread.read(2, ScalarType::B32) << 32 | thread.read(1, ScalarType::B32);
  const std::uint64_t selector = thread.read(3, ScalarType::B32);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned choice = prmt_choice(thread.instruction(), selector, i);
    std::uint64_t byte = (bytes >> (8 * (choice & 7))) & 0xff;
    if ((choice & 8) != 0) byte = byte >= 0x80 ? 0xff : 0;  // the sign, replicated
    result |= byte << (8 * i);
  }
  return result;
}

}  // namespace

void execute_bits(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const auto a = [&] { return thread.read(1, type); };
  const auto b = [&] { return thread.read(2, type); };
  switch (instruction.opcode) {
    case Opcode::And:
      return thread.write(0, a() & b(), type);
    case Opcode::Or:
      return thread.write(0, a() | b(), type);
    case Opcode::Xor:
      return thread.write(0, a() ^ b(), type);
    case Opcode::Not:
      return thread.write(0, ~a(), type);
    case Opcode::Cnot:
      return thread.write(0, a() == 0 ? 1 : 0, type);
    case Opcode::Lop3:
      return lop3(thread);
    case Opcode::Shf:
      return thread.write(0, funnel_shifted(thread), ScalarType::B32);
    case Opcode::Shl:
    case Opcode::Shr:
      return thread.write(0, shifted(thread, type), type);
    case Opcode::Popc:
      return thread.write(0, static_cast<unsigned>(std::popcount(a())), ScalarType::U32);
    case Opcode::Clz: {
      const auto leading = static_cast<unsigned>(std::countl_zero(a())) - (64 - ptx::bits_of(type));
      return thread.write(0, leading, ScalarType::U32);
    }
    case Opcode::Bfind:
      return thread.write(0, bfind(thread, type), ScalarType::U32);
    case Opcode::Fns:
      return thread.write(0, fns(thread), ScalarType::B32);
    case Opcode::Brev:
      return thread.write(0, reversed(a(), ptx::bits_of(type)), type);
    case Opcode::Bfe:
      return thread.write(0, bfe(thread, type), type);
    case Opcode::Bfi:
      return thread.write(0, bfi(thread, type), type);
    case Opcode::Szext:
      return thread.write(0, szext(thread, type), type);
    case Opcode::Bmsk:
      return thread.write(0, bmsk(thread), ScalarType::B32);
    case Opcode::Prmt:
      return thread.write(0, prmt(thread), ScalarType::B32);
    default:
      thread.reject("not supported");
  }
}

}  // namespace warpfork::reference
