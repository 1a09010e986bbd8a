// PTX ISA, "Comparison and Selection Instructions", and testp.
#include "reference/execute.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// How two operands stand to each other.
enum class Order : std::uint8_t { Less, Equal, Greater, Unordered };

Order order_of(const Thread& thread, ScalarType type, std::uint64_t a, std::uint64_t b) {
  const Instruction& instruction = thread.instruction();
  if (const auto floats = float_type(type)) {
    const Real left = decode(flushed_operand(instruction, a, floats->format), floats->format);
    const Real right = decode(flushed_operand(instruction, b, floats->format), floats->format);
    if (left.is_nan() || right.is_nan()) return Order::Unordered;
    const int sign = compare(left, right);
    return sign < 0 ? Order::Less : sign > 0 ? Order::Greater : Order::Equal;
  }
  const bool unsigned_words = instruction.has(Modifier::Lo) || instruction.has(Modifier::Ls) ||
                              instruction.has(Modifier::Hi) || instruction.has(Modifier::Hs);
  const unsigned bits = ptx::bits_of(type);
  const bool less = ptx::is_signed(type) && !unsigned_words ? sign_extend(a, bits) < sign_extend(b, bits) : a < b;
  return a == b ? Order::Equal : less ? Order::Less : Order::Greater;
}

bool holds(const Thread& thread, Order order) {
  const Instruction& instruction = thread.instruction();
  const bool unordered = order == Order::Unordered, less = order == Order::Less, greater = order == Order::Greater,
             equal = order == Order::Equal;
  for (const Modifier word : instruction.modifiers) {
    switch (word) {
      case Modifier::Eq:
        return equal;
      case Modifier::Ne:
        return less || greater;
      case Modifier::Lt:
      case Modifier::Lo:
        return less;
      case Modifier::Le:
      case Modifier::Ls:
        return less || equal;
      case Modifier::Gt:
      case Modifier::Hi:
        return greater;
      case Modifier::Ge:
      case Modifier::Hs:
        return greater || equal;
      case Modifier::Equ:
        return equal || unordered;
      case Modifier::Neu:
        return !equal;
      case Modifier::Ltu:
        return less || unordered;
      case Modifier::Leu:
        return !greater;
      case Modifier::Gtu:
        return greater || unordered;
      case Modifier::Geu:
        return !less;
      case Modifier::Num:
        return !unordered;
      case Modifier::Nan:
        return unordered;
      default:
        break;
    }
  }
  thread.reject("no comparison is named");
}

/// `.and`, `.or`, `.xor` with the third source; the result itself if none is written.
bool combined(const Thread& thread, bool result, std::size_t other) {
  const Instruction& instruction = thread.instruction();
  if (!thread.has_operand(other)) return result;
  const bool c = thread.read(other, ScalarType::Pred) != 0;
  if (instruction.has(Modifier::And)) return result && c;
  if (instruction.has(Modifier::Or)) return result || c;
  if (instruction.has(Modifier::Xor)) return result != c;
  thread.reject("no boolean operator is named");
}

/// The second predicate is the opposite of the comparison; of packed types it compares the upper halves.
void setp(Thread& thread) {
  const ScalarType type = thread.instruction().types.at(0);
  const auto floats = float_type(type);
  const bool is_packed = floats && floats->elements > 1;
  const unsigned width = is_packed ? floats->format.width() : ptx::bits_of(type);
  const std::uint64_t a = thread.read(1, type), b = thread.read(2, type);
  const bool result = holds(thread, order_of(thread, type, truncate(a, width), truncate(b, width)));
  const bool second = is_packed ? holds(thread, order_of(thread, type, a >> width, b >> width)) : !result;
  const bool p = combined(thread, result, 3), q = combined(thread, second, 3);
  const auto* pair = thread.operand(0).as<ptx::PairOperand>();
  if (pair == nullptr) return thread.write(0, p ? 1 : 0, ScalarType::Pred);
  thread.write(pair->elements[0], p ? 1 : 0, ScalarType::Pred);
  thread.write(pair->elements[1], q ? 1 : 0, ScalarType::Pred);
}

/// true is 1.0 in a floating-point result, all ones in an integer one; of a pair of operands, in each half of the
/// result.
void set(Thread& thread) {
  const ScalarType type = thread.instruction().types.at(0), compared = thread.instruction().types.at(1);
  const auto floats = float_type(type), operands = float_type(compared);
  const bool is_pair = operands && operands->elements > 1;
  const unsigned width = is_pair ? operands->format.width() : ptx::bits_of(type);
  const std::uint64_t yes =
      floats ? encode(Real::integer(1), floats->format, Rounding::Zero) : truncate(~std::uint64_t{0}, width);
  const std::uint64_t a = thread.read(1, compared), b = thread.read(2, compared);
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < (is_pair ? 2 * width : 1); shift += width) {
    const auto part = [&](std::uint64_t whole) { return is_pair ? truncate(whole >> shift, width) : whole; };
    const bool is_true = holds(thread, order_of(thread, compared, part(a), part(b)));
    if (combined(thread, is_true, 3)) result |= yes << shift;
  }
  thread.write(0, result, type);
}

/// slct: a if c ≥ 0, else b; a NaN is not.
void slct(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0), selector = instruction.types.at(1);
  const Order order = order_of(thread, selector, thread.read(3, selector), 0);
  const bool first = order == Order::Greater || order == Order::Equal;
  thread.write(0, thread.read(first ? 1 : 2, type), type);
}

bool belongs(const Thread& thread, std::uint64_t bits, FloatFormat format) {
  const Instruction& instruction = thread.instruction();
  const Real value = decode(bits, format);
  const bool subnormal = is_subnormal(bits, format);
  if (instruction.has(Modifier::Finite)) return value.is_finite();
  if (instruction.has(Modifier::Infinite)) return value.is_infinite();
  if (instruction.has(Modifier::Number)) return !value.is_nan();
  if (instruction.has(Modifier::Notanumber)) return value.is_nan();
  if (instruction.has(Modifier::Normal)) return value.is_finite() && !subnormal;
  if (instruction.has(Modifier::Subnormal)) return subnormal;
  thread.reject("no class is named");
}

}  // namespace

void execute_comparison(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  switch (instruction.opcode) {
    case Opcode::Setp:
      return setp(thread);
    case Opcode::Set:
      return set(thread);
    case Opcode::Slct:
      return slct(thread);
    case Opcode::Selp:
      return thread.write(0, thread.read(thread.read(3, ScalarType::Pred) != 0 ? 1 : 2, type), type);
    default:
      return thread.write(0, belongs(thread, thread.read(1, type), float_type(type)->format) ? 1 : 0, ScalarType::Pred);
  }
}

}  // namespace warpfork::reference
