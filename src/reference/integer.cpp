// PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic Instructions".
#include <algorithm>

#include "reference/exact_integer.h"
#include "reference/execute.h"

namespace warpfork::reference {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using UInt = unsigned __int128;

std::uint64_t low_bits(Int value) { return static_cast<std::uint64_t>(static_cast<UInt>(value)); }

Int saturate_s32(Int value) { return std::clamp<Int>(value, INT32_MIN, INT32_MAX); }

ScalarType twice_as_wide(ScalarType type) {
  switch (type) {
    case ScalarType::U16:
      return ScalarType::U32;
    case ScalarType::S16:
      return ScalarType::S32;
    case ScalarType::S32:
      return ScalarType::S64;
    default:
      return ScalarType::U64;
  }
}

/// The part of a·b that .lo, .hi or .wide keeps; 128 bits hold any 64-bit product, of either signedness.
UInt product(const Thread& thread, ScalarType type) {
  const UInt whole = static_cast<UInt>(number(thread, 1, type)) * static_cast<UInt>(number(thread, 2, type));
  return thread.instruction().has(Modifier::Hi) ? whole >> ptx::bits_of(type) : whole;
}

void multiply(Thread& thread, ScalarType type) {
  const bool wide = thread.instruction().has(Modifier::Wide);
  thread.write(0, low_bits(static_cast<Int>(product(thread, type))), wide ? twice_as_wide(type) : type);
}

void multiply_add(Thread& thread, ScalarType type) {
  const ptx::Instruction& instruction = thread.instruction();
  const ScalarType result = instruction.has(Modifier::Wide) ? twice_as_wide(type) : type;
  const std::uint64_t part = truncate(low_bits(static_cast<Int>(product(thread, type))), ptx::bits_of(result));
  const Int sum = number(part, result) + number(thread, 3, result);
  thread.write(0, low_bits(instruction.has(Modifier::Sat) ? saturate_s32(sum) : sum), result);
}

/// mul24 and mad24: 24-bit operands, 48-bit product; .hi is its bits 47 to 16.
Int product24(const Thread& thread, ScalarType type) {
  const auto low24 = [&](std::size_t index) {
    const std::uint64_t bits = truncate(thread.read(index, type), 24);
    return ptx::is_signed(type) ? Int{sign_extend(bits, 24)} : Int{bits};
  };
  const Int whole = low24(1) * low24(2);
  const std::uint64_t part = truncate(low_bits(thread.instruction().has(Modifier::Hi) ? whole >> 16 : whole), 32);
  return number(part, type);
}

void multiply_add24(Thread& thread, ScalarType type) {
  const Int sum = product24(thread, type) + number(thread, 3, type);
  thread.write(0, low_bits(thread.instruction().has(Modifier::Sat) ? saturate_s32(sum) : sum), type);
}

/// The quotient or remainder, towards zero. What the ISA leaves open: x / 0 and x % 0 are all ones; INT_MIN / −1
/// wraps.
Int quotient(Int a, Int b) { return b == 0 ? Int{-1} : a / b; }
Int remainder(Int a, Int b) { return b == 0 ? Int{-1} : a % b; }

Int two_operand_result(const ptx::Instruction& instruction, Int a, Int b) {
  switch (instruction.opcode) {
    case Opcode::Add:
      return instruction.has(Modifier::Sat) ? saturate_s32(a + b) : a + b;
    case Opcode::Sub:
      return instruction.has(Modifier::Sat) ? saturate_s32(a - b) : a - b;
    case Opcode::Div:
      return quotient(a, b);
    case Opcode::Rem:
      return remainder(a, b);
    case Opcode::Min:
      return instruction.has(Modifier::Relu) ? std::max<Int>(std::min(a, b), 0) : std::min(a, b);
    default:
      return instruction.has(Modifier::Relu) ? std::max<Int>(std::max(a, b), 0) : std::max(a, b);
  }
}

/// Packed types (.u16x2) are done half by half.
void two_operands(Thread& thread, ScalarType type) {
  const bool packed = type == ScalarType::U16x2 || type == ScalarType::S16x2;
  const ScalarType element = type == ScalarType::U16x2 ? ScalarType::U16 : packed ? ScalarType::S16 : type;
  const unsigned width = ptx::bits_of(element);
  const std::uint64_t a = thread.read(1, type), b = thread.read(2, type);
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < ptx::bits_of(type); shift += width) {
    const Int left = number(truncate(a >> shift, width), element), right = number(truncate(b >> shift, width), element);
    result |= truncate(low_bits(two_operand_result(thread.instruction(), left, right)), width) << shift;
  }
  thread.write(0, result, type);
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc. After a subtraction the flag is set where there is no borrow.
void with_carry(Thread& thread, ScalarType type) {
  const ptx::Instruction& instruction = thread.instruction();
  const unsigned bits = ptx::bits_of(type);
  const bool takes =
      instruction.opcode == Opcode::Addc || instruction.opcode == Opcode::Subc || instruction.opcode == Opcode::Madc;
  const bool subtracts = instruction.opcode == Opcode::Sub || instruction.opcode == Opcode::Subc;
  const UInt carry_in = (takes ? thread.carry : subtracts) ? 1 : 0;
  UInt result = 0;
  if (subtracts) {
    result = UInt{thread.read(1, type)} + truncate(~thread.read(2, type), bits) + carry_in;
  } else if (instruction.opcode == Opcode::Mad || instruction.opcode == Opcode::Madc) {
    const std::uint64_t part = truncate(low_bits(static_cast<Int>(product(thread, type))), bits);
    result = UInt{part} + thread.read(3, type) + carry_in;
  } else {
    result = UInt{thread.read(1, type)} + thread.read(2, type) + carry_in;
  }
  if (instruction.has(Modifier::Cc)) thread.carry = ((result >> bits) & 1) != 0;
  thread.write(0, low_bits(static_cast<Int>(result)), type);
}

/// dp4a and dp2a: d = c + Σ aᵢ·bᵢ, in 32 bits, wrapping. dp2a takes 16-bit parts of a and two bytes of b.
void dot_product(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const bool two = instruction.opcode == Opcode::Dp2a;
  const ScalarType a_type = instruction.types[0], b_type = instruction.types[1];
  const bool is_signed = ptx::is_signed(a_type) || ptx::is_signed(b_type);
  const std::uint64_t a = thread.read(1, a_type);
  const std::uint64_t b = thread.read(2, b_type) >> (two && instruction.has(Modifier::Hi) ? 16 : 0);
  const auto part = [](std::uint64_t bits, unsigned width, unsigned index, bool sign) {
    const std::uint64_t field = truncate(bits >> (index * width), width);
    return sign ? Int{sign_extend(field, width)} : Int{field};
  };
  Int sum = number(thread, 3, is_signed ? ScalarType::S32 : ScalarType::U32);
  for (unsigned i = 0; i < (two ? 2u : 4u); ++i)
    sum += part(a, two ? 16 : 8, i, ptx::is_signed(a_type)) * part(b, 8, i, ptx::is_signed(b_type));
  thread.write(0, low_bits(sum), is_signed ? ScalarType::S32 : ScalarType::U32);
}

}  // namespace

void execute_integer(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  switch (instruction.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
      return instruction.has(Modifier::Cc) ? with_carry(thread, type) : two_operands(thread, type);
    case Opcode::Addc:
    case Opcode::Subc:
    case Opcode::Madc:
      return with_carry(thread, type);
    case Opcode::Mul:
      return multiply(thread, type);
    case Opcode::Mad:
      return instruction.has(Modifier::Cc) ? with_carry(thread, type) : multiply_add(thread, type);
    case Opcode::Mul24:
      return thread.write(0, low_bits(product24(thread, type)), type);
    case Opcode::Mad24:
      return multiply_add24(thread, type);
    case Opcode::Sad: {
      const Int difference = number(thread, 1, type) - number(thread, 2, type);
      return thread.write(0, low_bits(number(thread, 3, type) + (difference < 0 ? -difference : difference)), type);
    }
    case Opcode::Abs: {
      const Int value = number(thread, 1, type);
      return thread.write(0, low_bits(value < 0 ? -value : value), type);
    }
    case Opcode::Neg:
      return thread.write(0, low_bits(-number(thread, 1, type)), type);
    case Opcode::Dp4a:
    case Opcode::Dp2a:
      return dot_product(thread);
    default:
      return two_operands(thread, type);
  }
}

}  // namespace warpfork::reference
