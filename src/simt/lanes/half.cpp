// PTX ISA, "Half Precision Floating-Point Instructions" and their bf16 forms, scalar and packed in pairs.
//
// Computed in double and rounded once: sums, products and fused sums of 11-bit significands are exact in double but for
// far-apart addends of fma, whose lost part is kept as a sticky last bit.
#include "simt/lanes/half.h"

#include "simt/lanes/float_rules.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using std::uint16_t;
using std::uint32_t;

/// a + b with everything that does not fit recorded in the last bit ("round to odd"), so that a second rounding to a
/// narrower format is right (Boldo and Melquiond, 2008).
double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!(std::fabs(sum) < 0x1p1000)) return sum;
  const double b_part = sum - a, a_part = sum - b_part;
  const double error = (a - a_part) + (b - b_part);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  // The exact sum lies beside `sum`, on the side of the error's sign; step there if that is towards zero, and make it
  // odd.
  const bool towards_zero = (error < 0) == (sum > 0);
  bits = towards_zero ? bits - 1 : bits | 1;
  return std::bit_cast<double>(bits);
}

struct Add {
  static double apply(double a, double b) { return add_to_odd(a, b); }
};
struct Sub {
  static double apply(double a, double b) { return add_to_odd(a, -b); }
};
struct Mul {
  static double apply(double a, double b) { return a * b; }
};
struct Fma {
  static double apply(double a, double b, double c) { return add_to_odd(a * b, c); }
};

/// Op computed in double, under .ftz and .sat. -0 from an exact sum keeps its sign through the conversion.
template <typename Format, typename Op, bool Ftz, bool Sat>
struct Ruled {
  static double in(uint16_t value) {
    const double exact = Format::to_double(value);
    const bool subnormal = Ftz && (value & Format::kInfinity) == 0;
    return subnormal ? std::copysign(0.0, exact) : exact;
  }
  static uint16_t out(double value) {
    const uint16_t rounded = Format::from_double(Sat ? saturate(value) : value, Rounding::Nearest);
    return Ftz && (rounded & Format::kInfinity) == 0 ? rounded & 0x8000 : rounded;
  }
  template <typename... T>
  static uint16_t apply(T... values) {
    return out(Op::apply(in(values)...));
  }
};

struct Neg {
  static double apply(double a) { return -a; }
};
struct Abs {
  static double apply(double a) { return std::fabs(a); }
};
template <typename Format, bool IsMin, bool Propagate, bool Ftz>
struct Extreme {
  static uint16_t in(uint16_t value) { return Ftz && (value & Format::kInfinity) == 0 ? value & 0x8000 : value; }
  static uint16_t apply(uint16_t a, uint16_t b) {
    a = in(a);
    b = in(b);
    const bool a_nan = (a & 0x7fff) > Format::kInfinity, b_nan = (b & 0x7fff) > Format::kInfinity;
    if (a_nan || b_nan) return Propagate || (a_nan && b_nan) ? Format::kNan : a_nan ? b : a;
    // As ordered integers: -0 comes before +0.
    const auto order = [](uint16_t value) { return value & 0x8000 ? -(value & 0x7fff) - 1 : int{value}; };
    return (order(a) < order(b)) == IsMin ? a : b;
  }
};

template <typename Op, bool Pair>
struct Packed {
  static constexpr bool kCostly = true;
  template <typename... T>
  static uint32_t apply(T... values) {
    const uint32_t low = Op::apply(static_cast<uint16_t>(values)...);
    return Pair ? low | uint32_t{Op::apply(static_cast<uint16_t>(values >> 16)...)} << 16 : low;
  }
};

template <typename Op, unsigned Operands>
Handler with_pairs(bool pair) {
  const auto with = [&]<bool Pair>() -> Handler {
    using P = Packed<Op, Pair>;
    if constexpr (Operands == 1) return lanewise<P, uint32_t, uint32_t>;
    if constexpr (Operands == 2) return lanewise<P, uint32_t, uint32_t, uint32_t>;
    if constexpr (Operands == 3) return lanewise<P, uint32_t, uint32_t, uint32_t, uint32_t>;
  };
  return pair ? with.template operator()<true>() : with.template operator()<false>();
}

template <typename Format, typename Op, unsigned Operands>
Handler with_rules(const Operation& operation, bool pair) {
  const bool ftz = operation.has(Modifier::Ftz), sat = operation.has(Modifier::Sat);
  if (ftz)
    return sat ? with_pairs<Ruled<Format, Op, true, true>, Operands>(pair)
               : with_pairs<Ruled<Format, Op, true, false>, Operands>(pair);
  return sat ? with_pairs<Ruled<Format, Op, false, true>, Operands>(pair)
             : with_pairs<Ruled<Format, Op, false, false>, Operands>(pair);
}

template <typename Format, bool IsMin>
Handler select_extreme(const Operation& operation, bool pair) {
  if (operation.has(Modifier::Xorsign) || operation.instruction.operands.size() != 3) return nullptr;
  const auto with = [&]<bool Ftz>() -> Handler {
    return operation.has(Modifier::PropagateNan) ? with_pairs<Extreme<Format, IsMin, true, Ftz>, 2>(pair)
                                                 : with_pairs<Extreme<Format, IsMin, false, Ftz>, 2>(pair);
  };
  return operation.has(Modifier::Ftz) ? with.template operator()<true>() : with.template operator()<false>();
}

template <typename Format>
Handler select_for(const Operation& operation, bool pair) {
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      return with_rules<Format, Add, 2>(operation, pair);
    case Opcode::Sub:
      return with_rules<Format, Sub, 2>(operation, pair);
    case Opcode::Mul:
      return with_rules<Format, Mul, 2>(operation, pair);
    case Opcode::Fma:
      return with_rules<Format, Fma, 3>(operation, pair);
    case Opcode::Neg:
      return with_rules<Format, Neg, 1>(operation, pair);
    case Opcode::Abs:
      return with_rules<Format, Abs, 1>(operation, pair);
    case Opcode::Min:
      return select_extreme<Format, true>(operation, pair);
    case Opcode::Max:
      return select_extreme<Format, false>(operation, pair);
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_half(const Operation& operation) {
  switch (operation.type()) {
    case ScalarType::F16:
      return select_for<Half>(operation, false);
    case ScalarType::F16x2:
      return select_for<Half>(operation, true);
    case ScalarType::Bf16:
      return select_for<BFloat>(operation, false);
    case ScalarType::Bf16x2:
      return select_for<BFloat>(operation, true);
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
