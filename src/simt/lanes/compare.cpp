// PTX ISA, "Comparison and Selection Instructions": set and setp.
//
// Operands: [0] destination (predicate index or row), [1] and [2] what is compared, [3] the predicate it is combined
// with, [4] the second destination of setp. Instruction::immediate is a CompareMode.
#include "simt/lanes/compare_mode.h"
#include "simt/lanes/float_rules.h"
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

template <typename Op, typename T, bool Ftz>
ActiveMask compare(const Instruction& instruction, const WarpContext& warp) {
  const Row<T> a(warp.registers + instruction.operand[1]), b(warp.registers + instruction.operand[2]);
  return collect<Slot<T>>([=](unsigned lane) {
    if constexpr (Ftz)
      return Op::apply(flush(a[lane]), flush(b[lane]));
    else
      return Op::apply(a[lane], b[lane]);
  });
}

/// The comparison's result combined with the third operand.
ActiveMask combine(ActiveMask compared, const Instruction& instruction, const WarpContext& warp) {
  constexpr std::uint64_t kCombines = CompareMode::kAnd | CompareMode::kOr | CompareMode::kXor;
  if ((instruction.immediate & kCombines) == 0) return compared;
  std::uint32_t other = warp.predicates[instruction.operand[3]];
  if (instruction.immediate & CompareMode::kNegated) other = ~other;
  if (instruction.immediate & CompareMode::kAnd) return ActiveMask(compared.bits() & other);
  if (instruction.immediate & CompareMode::kOr) return ActiveMask(compared.bits() | other);
  return ActiveMask(compared.bits() ^ other);
}

template <typename Op, typename T, bool Ftz>
void setp(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  set_predicate(warp, instruction.operand[0], compare<Op, T, Ftz>(instruction, warp), lanes);
}

template <typename Op, typename T, bool Ftz>
void setp_combined(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  const ActiveMask compared = compare<Op, T, Ftz>(instruction, warp);
  const ActiveMask first = combine(compared, instruction, warp);
  const ActiveMask second = combine(ActiveMask(~compared.bits()), instruction, warp);
  set_predicate(warp, instruction.operand[0], first, lanes);
  set_predicate(warp, instruction.operand[4], second, lanes);
}

template <typename Op, typename T, bool Ftz>
void set(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  const std::uint32_t result = combine(compare<Op, T, Ftz>(instruction, warp), instruction, warp).bits();
  const std::uint32_t is_true = instruction.immediate & CompareMode::kFloatResult ? 0x3f800000 : 0xffffffff;
  for_lanes<std::uint32_t>(warp.registers + instruction.operand[0], lanes,
                           [=](unsigned lane) { return lane_mask<std::uint32_t>(result, lane) & is_true; });
}

template <typename Op, typename T, bool Ftz = false>
Handler with_op(const Operation& operation) {
  if (operation.instruction.opcode == Opcode::Set) return set<Op, T, Ftz>;
  const bool plain =
      operation.instruction.operands.size() == 3 && !operation.instruction.operands[0].as<ptx::PairOperand>();
  return plain ? setp<Op, T, Ftz> : setp_combined<Op, T, Ftz>;
}

template <typename T>
Handler select_integer_comparison(const Operation& operation) {
  using U = std::make_unsigned_t<T>;
  if (operation.has(Modifier::Eq)) return with_op<Eq, U>(operation);
  if (operation.has(Modifier::Ne)) return with_op<Ne, U>(operation);
  if (operation.has(Modifier::Lt)) return with_op<Lt, T>(operation);
  if (operation.has(Modifier::Le)) return with_op<Le, T>(operation);
  if (operation.has(Modifier::Gt)) return with_op<Gt, T>(operation);
  if (operation.has(Modifier::Ge)) return with_op<Ge, T>(operation);
  if (operation.has(Modifier::Lo)) return with_op<Lt, U>(operation);
  if (operation.has(Modifier::Ls)) return with_op<Le, U>(operation);
  if (operation.has(Modifier::Hi)) return with_op<Gt, U>(operation);
  if (operation.has(Modifier::Hs)) return with_op<Ge, U>(operation);
  return nullptr;
}

template <typename T, bool Ftz>
Handler select_float_comparison(const Operation& operation) {
  if (operation.has(Modifier::Eq)) return with_op<Eq, T, Ftz>(operation);
  if (operation.has(Modifier::Ne)) return with_op<Ne, T, Ftz>(operation);
  if (operation.has(Modifier::Lt)) return with_op<Lt, T, Ftz>(operation);
  if (operation.has(Modifier::Le)) return with_op<Le, T, Ftz>(operation);
  if (operation.has(Modifier::Gt)) return with_op<Gt, T, Ftz>(operation);
  if (operation.has(Modifier::Ge)) return with_op<Ge, T, Ftz>(operation);
  if (operation.has(Modifier::Equ)) return with_op<Opposite<Ne>, T, Ftz>(operation);
  if (operation.has(Modifier::Neu)) return with_op<Opposite<Eq>, T, Ftz>(operation);
  if (operation.has(Modifier::Ltu)) return with_op<Opposite<Ge>, T, Ftz>(operation);
  if (operation.has(Modifier::Leu)) return with_op<Opposite<Gt>, T, Ftz>(operation);
  if (operation.has(Modifier::Gtu)) return with_op<Opposite<Le>, T, Ftz>(operation);
  if (operation.has(Modifier::Geu)) return with_op<Opposite<Lt>, T, Ftz>(operation);
  if (operation.has(Modifier::Num)) return with_op<Num, T, Ftz>(operation);
  if (operation.has(Modifier::Nan)) return with_op<Opposite<Num>, T, Ftz>(operation);
  return nullptr;
}

}  // namespace

Handler select_compare(const Operation& operation) {
  // set has the type of its result first.
  const ScalarType type = operation.instruction.types.back();
  if (type == ScalarType::F32)
    return operation.has(Modifier::Ftz) ? select_float_comparison<float, true>(operation)
                                        : select_float_comparison<float, false>(operation);
  if (type == ScalarType::F64) return select_float_comparison<double, false>(operation);
  return for_arithmetic_integer(type, [&](auto t) { return select_integer_comparison<decltype(t)>(operation); });
}

}  // namespace warpfork::simt::WARPFORK_LANES
