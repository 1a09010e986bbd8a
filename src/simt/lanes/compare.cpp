// PTX ISA, "Comparison and Selection Instructions": set and setp.
//
// Operands: [0] destination (predicate index or row), [1] and [2] what is compared, [3] the predicate it is combined
// with, [4] the second destination of setp. Instruction::immediate is a CompareMode.
#include <array>
#include <type_traits>

#include "simt/lanes/compare_mode.h"
#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/types.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

struct Eq {
  template <typename T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct Ne {  // of floats: ordered, so false if one is NaN
  template <typename T>
  static bool apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return (a < b) | (a > b);
    else
      return a != b;
  }
};
struct Lt {
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <typename T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <typename T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
struct Num {
  template <typename T>
  static bool apply(T a, T b) {
    return (a == a) & (b == b);
  }
};
/// The opposite: an unordered comparison is the opposite of an ordered one.
template <typename Op>
struct Opposite {
  template <typename T>
  static bool apply(T a, T b) {
    return !Op::apply(a, b);
  }
};

/// How an operand is read before it is compared.
template <typename T, bool Ftz = false>
struct Plain {
  using Stored = T;
  static T read(T value) {
    if constexpr (Ftz)
      return flush(value);
    else
      return value;
  }
};
/// The 16-bit formats: exact in double precision.
template <typename Format, bool Ftz = false>
struct Small {
  using Stored = std::uint16_t;
  static double read(std::uint16_t value) { return Format::to_double(flushed<Format, Ftz>(value)); }
};
/// Two of them in a 32-bit register.
template <typename Format, bool Ftz = false>
struct Pair : Small<Format, Ftz> {
  using Stored = std::uint32_t;
};

template <typename Operand>
constexpr bool kIsHalf = !std::is_same_v<decltype(Operand::read({})), typename Operand::Stored>;

using Values = std::array<double, kRowLanes>;

/// The values that lie `shift` bits up in the lanes of a row. Apart, as is the comparison, so that there is not one of
/// them for each operator and format: rarely used, and long.
template <typename Operand>
[[gnu::noinline]] Values values_of(const std::byte* row, unsigned shift) {
  const Row<std::uint32_t> stored(row);
  Values values;
  for (unsigned lane = 0; lane < kRowLanes; ++lane)
    values[lane] = Operand::read(static_cast<std::uint16_t>(stored[lane] >> shift));
  return values;
}
template <typename Op>
[[gnu::noinline]] RowLanes compare_values(const Values& a, const Values& b) {
  return collect<std::uint64_t>([&](unsigned lane) { return Op::apply(a[lane], b[lane]); });
}
template <typename Op, typename Operand>
RowLanes compare_halves(const Instruction& instruction, const WarpContext& warp, unsigned shift) {
  return compare_values<Op>(values_of<Operand>(warp.registers + instruction.operand[1], shift),
                            values_of<Operand>(warp.registers + instruction.operand[2], shift));
}

/// `B`: Stored, or a Literal of it.
template <typename Op, typename Operand, typename B = typename Operand::Stored>
RowLanes compare(const Instruction& instruction, const WarpContext& warp) {
  using T = typename Operand::Stored;
  if constexpr (kIsHalf<Operand>) {
    return compare_halves<Op, Operand>(instruction, warp, 0);
  } else {
    const auto a = Source<T>::of(instruction, warp, 1);
    const auto b = Source<B>::of(instruction, warp, 2);
    return collect<Slot<T>>([=](unsigned lane) { return Op::apply(Operand::read(a[lane]), Operand::read(b[lane])); });
  }
}

/// For what is rare: not one in each of its callers.
template <typename Op, typename Operand>
[[gnu::noinline]] RowLanes compare_apart(const Instruction& instruction, const WarpContext& warp) {
  return compare<Op, Operand>(instruction, warp);
}

/// The comparison's result combined with the third operand.
RowLanes combine(RowLanes compared, const Instruction& instruction, const WarpContext& warp) {
  constexpr std::uint64_t kCombines = CompareMode::kAnd | CompareMode::kOr | CompareMode::kXor;
  if ((instruction.immediate & kCombines) == 0) return compared;
  std::uint32_t other = warp.predicates[instruction.operand[3]];
  if (instruction.immediate & CompareMode::kNegated) other = ~other;
  if (instruction.immediate & CompareMode::kAnd) return RowLanes(compared.bits() & other);
  if (instruction.immediate & CompareMode::kOr) return RowLanes(compared.bits() | other);
  return RowLanes(compared.bits() ^ other);
}

template <typename Op, typename Operand, typename B = typename Operand::Stored>
void setp(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  set_predicate(warp, instruction.operand[0], compare<Op, Operand, B>(instruction, warp), lanes);
}

/// What is done with a comparison's result, but for plain setp: one function for all operators and types.
[[gnu::noinline]] void write_combined(RowLanes compared, const Instruction& instruction, WarpContext& warp,
                                      RowLanes lanes) {
  const RowLanes first = combine(compared, instruction, warp);
  const RowLanes second = combine(RowLanes(~compared.bits()), instruction, warp);
  set_predicate(warp, instruction.operand[0], first, lanes);
  set_predicate(warp, instruction.operand[4], second, lanes);
}
[[gnu::noinline]] void write_set(RowLanes compared, const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const std::uint32_t result = combine(compared, instruction, warp).bits();
  const auto is_true = static_cast<std::uint32_t>(instruction.immediate >> CompareMode::kTrueShift);
  for_lanes<std::uint32_t>(warp.registers + instruction.operand[0], lanes,
                           [=](unsigned lane) { return lane_mask<std::uint32_t>(result, lane) & is_true; });
}
/// Each half of the result is all ones of an integer, or one, if the halves of the operands compare so.
[[gnu::noinline]] void write_pair(RowLanes low_compared, RowLanes high_compared, const Instruction& instruction,
                                  WarpContext& warp, RowLanes lanes) {
  const std::uint32_t low = combine(low_compared, instruction, warp).bits();
  const std::uint32_t high = combine(high_compared, instruction, warp).bits();
  const auto is_true = static_cast<std::uint32_t>(instruction.immediate >> CompareMode::kTrueShift) & 0xffff;
  for_lanes<std::uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned lane) {
    return (lane_mask<std::uint32_t>(low, lane) & is_true) | (lane_mask<std::uint32_t>(high, lane) & is_true) << 16;
  });
}

template <typename Op, typename Operand>
void setp_combined(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  write_combined(compare_apart<Op, Operand>(instruction, warp), instruction, warp, lanes);
}

template <typename Op, typename Operand>
void set(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  write_set(compare_apart<Op, Operand>(instruction, warp), instruction, warp, lanes);
}

template <typename Op, typename Operand>
void set_pair(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  write_pair(compare_halves<Op, Operand>(instruction, warp, 0), compare_halves<Op, Operand>(instruction, warp, 16),
             instruction, warp, lanes);
}

/// The first predicate is of the lower halves, the second of the upper ones.
template <typename Op, typename Operand>
void setp_pair(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const RowLanes low = combine(compare_halves<Op, Operand>(instruction, warp, 0), instruction, warp);
  const RowLanes high = combine(compare_halves<Op, Operand>(instruction, warp, 16), instruction, warp);
  set_predicate(warp, instruction.operand[0], low, lanes);
  set_predicate(warp, instruction.operand[4], high, lanes);
}

template <typename Operand>
constexpr bool kIsPair = false;
template <typename Format, bool Ftz>
constexpr bool kIsPair<Pair<Format, Ftz>> = true;

template <typename Op, typename Operand>
Handler with_op(const Operation& operation) {
  const bool sets = operation.instruction.opcode == Opcode::Set;
  if constexpr (kIsPair<Operand>) return sets ? set_pair<Op, Operand> : setp_pair<Op, Operand>;
  if (sets) return set<Op, Operand>;
  const auto& operands = operation.instruction.operands;
  if constexpr (!kIsHalf<Operand> && std::is_integral_v<typename Operand::Stored>)
    if (reads_literal(operation)) return setp<Op, Operand, Literal<typename Operand::Stored>>;
  const bool plain = operands.size() == 3 && !operands[0].as<ptx::PairOperand>();
  return plain ? setp<Op, Operand> : setp_combined<Op, Operand>;
}

template <typename T>
Handler select_integer_comparison(const Operation& operation) {
  using U = Plain<std::make_unsigned_t<T>>;
  using Own = Plain<T>;
  if (operation.has(Modifier::Eq)) return with_op<Eq, U>(operation);
  if (operation.has(Modifier::Ne)) return with_op<Ne, U>(operation);
  if (operation.has(Modifier::Lt)) return with_op<Lt, Own>(operation);
  if (operation.has(Modifier::Le)) return with_op<Le, Own>(operation);
  if (operation.has(Modifier::Gt)) return with_op<Gt, Own>(operation);
  if (operation.has(Modifier::Ge)) return with_op<Ge, Own>(operation);
  if (operation.has(Modifier::Lo)) return with_op<Lt, U>(operation);
  if (operation.has(Modifier::Ls)) return with_op<Le, U>(operation);
  if (operation.has(Modifier::Hi)) return with_op<Gt, U>(operation);
  if (operation.has(Modifier::Hs)) return with_op<Ge, U>(operation);
  return nullptr;
}

template <typename Operand>
Handler select_float_comparison(const Operation& operation) {
  if (operation.has(Modifier::Eq)) return with_op<Eq, Operand>(operation);
  if (operation.has(Modifier::Ne)) return with_op<Ne, Operand>(operation);
  if (operation.has(Modifier::Lt)) return with_op<Lt, Operand>(operation);
  if (operation.has(Modifier::Le)) return with_op<Le, Operand>(operation);
  if (operation.has(Modifier::Gt)) return with_op<Gt, Operand>(operation);
  if (operation.has(Modifier::Ge)) return with_op<Ge, Operand>(operation);
  if (operation.has(Modifier::Equ)) return with_op<Opposite<Ne>, Operand>(operation);
  if (operation.has(Modifier::Neu)) return with_op<Opposite<Eq>, Operand>(operation);
  if (operation.has(Modifier::Ltu)) return with_op<Opposite<Ge>, Operand>(operation);
  if (operation.has(Modifier::Leu)) return with_op<Opposite<Gt>, Operand>(operation);
  if (operation.has(Modifier::Gtu)) return with_op<Opposite<Le>, Operand>(operation);
  if (operation.has(Modifier::Geu)) return with_op<Opposite<Lt>, Operand>(operation);
  if (operation.has(Modifier::Num)) return with_op<Num, Operand>(operation);
  if (operation.has(Modifier::Nan)) return with_op<Opposite<Num>, Operand>(operation);
  return nullptr;
}

template <typename Operand>
Handler select_pair_comparison(const Operation& operation) {
  const ScalarType to = operation.type(), from = operation.instruction.types.back();
  const bool fits = to == from || to == ScalarType::U32 || to == ScalarType::S32;
  return fits ? select_float_comparison<Operand>(operation) : nullptr;
}

}  // namespace

Handler select_compare(const Operation& operation) {
  if (operation.instruction.opcode == Opcode::Set && ptx::bits_of(operation.type()) > 32) return nullptr;
  // set has the type of its result first.
  const ScalarType type = operation.instruction.types.back();
  const bool ftz = operation.has(Modifier::Ftz);
  switch (type) {
    case ScalarType::F32:
      return ftz ? select_float_comparison<Plain<float, true>>(operation)
                 : select_float_comparison<Plain<float>>(operation);
    case ScalarType::F64:
      return select_float_comparison<Plain<double>>(operation);
    case ScalarType::F16:
      return ftz ? select_float_comparison<Small<Half, true>>(operation)
                 : select_float_comparison<Small<Half>>(operation);
    case ScalarType::F16x2:
      return ftz ? select_pair_comparison<Pair<Half, true>>(operation) : select_pair_comparison<Pair<Half>>(operation);
    case ScalarType::Bf16:
      return select_float_comparison<Small<BFloat>>(operation);
    case ScalarType::Bf16x2:
      return select_pair_comparison<Pair<BFloat>>(operation);
    default:
      break;
  }
  return for_arithmetic_integer(type, [&](auto t) { return select_integer_comparison<decltype(t)>(operation); });
}

}  // namespace warpfork::simt::WARPFORK_LANES
