// PTX ISA, "Logic and Shift Instructions". On predicates a logic instruction is one operation on the warp's lane mask.
#include "simt/lanes/lanewise.h"
#include "simt/lanes/lop3_mode.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"
#include "simt/lanes/with_literal.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using std::uint32_t;

struct And {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <typename T>
  static T apply(T a) {
    return a == 0 ? 1 : 0;
  }
};

// A shift by the width or more gives zeros (or sign bits): the count is clamped, not wrapped.
struct Shl {
  template <typename T>
  static T apply(T a, uint32_t b) {
    constexpr uint32_t kWidth = 8 * sizeof(T);
    return b < kWidth ? static_cast<T>(Slot<T>(a) << (b & (kWidth - 1))) : T{0};
  }
};
struct Shr {
  template <typename T>
  static T apply(T a, uint32_t b) {
    constexpr uint32_t kWidth = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (b < kWidth ? b : kWidth - 1));
    else
      return b < kWidth ? static_cast<T>(a >> (b & (kWidth - 1))) : T{0};
  }
};

/// The 64-bit value b:a shifted by c, its upper half for left shifts, its lower half for right shifts.
template <bool Left, bool Clamp>
struct Funnel {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t count = Clamp ? (c < 32 ? c : 32) : c & 31;
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<uint32_t>(Left ? (both << count) >> 32 : both >> count);
  }
};

/// The look-up table is in the low byte of Instruction::immediate: bit (a << 2 | b << 1 | c) is the result.
void lop3(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const registers = warp.registers;
  const Row<uint32_t> a(registers + instruction.operand[1]), b(registers + instruction.operand[2]),
      c(registers + instruction.operand[3]);
  uint32_t term[8];
  for (unsigned i = 0; i < 8; ++i) term[i] = (instruction.immediate >> i) & 1 ? ~uint32_t{0} : 0;
  for_lanes<uint32_t>(registers + instruction.operand[0], lanes, [=](unsigned lane) {
    const uint32_t x = a[lane], y = b[lane], z = c[lane];
    const uint32_t with_x = (y & ((z & term[7]) | (~z & term[6]))) | (~y & ((z & term[5]) | (~z & term[4])));
    const uint32_t without_x = (y & ((z & term[3]) | (~z & term[2]))) | (~y & ((z & term[1]) | (~z & term[0])));
    return (x & with_x) | (~x & without_x);
  });
}

/// [4] predicate "the result is not zero", combined with another one: see Lop3Mode.
template <bool IsOr>
void lop3_predicate(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  lop3(instruction, warp, lanes);
  const Row<uint32_t> result(warp.registers + instruction.operand[0]);
  const uint32_t nonzero = collect<uint32_t>([=](unsigned lane) { return result[lane] != 0; }).bits();
  uint32_t other = warp.predicates[instruction.immediate >> Lop3Mode::kPredicateShift];
  if (instruction.immediate & Lop3Mode::kNegated) other = ~other;
  set_predicate(warp, instruction.operand[4], RowLanes(IsOr ? nonzero | other : nonzero & other), lanes);
}

// Bit i of Instruction::immediate: operand[i] is written with `!`.

uint32_t predicate(const Instruction& instruction, const WarpContext& warp, unsigned index) {
  const uint32_t value = warp.predicates[instruction.operand[index]];
  return (instruction.immediate >> index) & 1 ? ~value : value;
}

template <typename Op>
void on_predicates(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const uint32_t result = Op::apply(predicate(instruction, warp, 1), predicate(instruction, warp, 2));
  set_predicate(warp, instruction.operand[0], RowLanes(result), lanes);
}

void not_predicate(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  set_predicate(warp, instruction.operand[0], RowLanes(~predicate(instruction, warp, 1)), lanes);
}

template <typename Op>
Handler binary(const Operation& operation) {
  if (operation.type() == ScalarType::Pred) return on_predicates<Op>;
  return for_width(operation.type(), [&](auto t) -> Handler {
    using T = decltype(t);
    return with_literal<Op, T, T, T>(operation);
  });
}

template <typename Op>
Handler unary(ScalarType type) {
  return for_width(type, [](auto t) -> Handler {
    using T = decltype(t);
    return lanewise<Op, T, T>;
  });
}

template <typename Op>
Handler shift(const Operation& operation) {
  return for_arithmetic_integer(operation.type(), [&](auto t) -> Handler {
    using T = decltype(t);
    return with_literal<Op, T, T, uint32_t>(operation);
  });
}

Handler select_funnel(const Operation& operation) {
  const bool clamp = operation.has(Modifier::Clamp);
  if (operation.has(Modifier::L))
    return clamp ? lanewise<Funnel<true, true>, uint32_t, uint32_t, uint32_t, uint32_t>
                 : lanewise<Funnel<true, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
  return clamp ? lanewise<Funnel<false, true>, uint32_t, uint32_t, uint32_t, uint32_t>
               : lanewise<Funnel<false, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
}

}  // namespace

Handler select_logic(const Operation& operation) {
  const ScalarType type = operation.type();
  switch (operation.instruction.opcode) {
    case Opcode::And:
      return binary<And>(operation);
    case Opcode::Or:
      return binary<Or>(operation);
    case Opcode::Xor:
      return binary<Xor>(operation);
    case Opcode::Not:
      return type == ScalarType::Pred ? not_predicate : unary<Not>(type);
    case Opcode::Cnot:
      return unary<Cnot>(type);
    case Opcode::Lop3:
      if (operation.has(Modifier::And)) return lop3_predicate<false>;
      return operation.has(Modifier::Or) ? lop3_predicate<true> : lop3;
    case Opcode::Shl:
      return shift<Shl>(operation);
    case Opcode::Shr:
      return shift<Shr>(operation);
    case Opcode::Shf:
      return select_funnel(operation);
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
