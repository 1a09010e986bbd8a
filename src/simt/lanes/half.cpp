// PTX ISA, "Half Precision Floating-Point Instructions" and their bf16 forms, scalar and packed in pairs.
//
// Computed in double and rounded once: sums, products and fused sums of 11-bit significands are exact in double but for
// far-apart addends, whose lost part is kept as a sticky last bit.
#include "simt/lanes/half.h"

#include "simt/lanes/extremes.h"
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

enum class Limit : std::uint8_t { None, Sat, Relu };

/// Op computed in double, under .ftz and .sat or .relu. -0 from an exact sum keeps its sign through the conversion.
template <typename Format, typename Op, bool Ftz, Limit To>
struct Ruled {
  static uint16_t out(double value) {
    const uint16_t rounded = Format::from_double(To == Limit::Sat ? saturate(value) : value, Rounding::Nearest);
    return flushed<Format, Ftz>(clamped<Format, To == Limit::Relu, false>(rounded));
  }
  template <typename... T>
  static uint16_t apply(T... values) {
    return out(Op::apply(Format::to_double(flushed<Format, Ftz>(values))...));
  }
};

struct Neg {
  static double apply(double a) { return -a; }
};
struct Abs {
  static double apply(double a) { return std::fabs(a); }
};
template <typename Format, typename Op, unsigned Operands>
Handler with_rules(const Operation& operation, bool pair) {
  const auto with = [&]<bool Ftz>() -> Handler {
    if (operation.has(Modifier::Sat)) return with_pairs<Ruled<Format, Op, Ftz, Limit::Sat>, Operands>(pair);
    if constexpr (std::is_same_v<Op, Fma>)
      if (operation.has(Modifier::Relu)) return with_pairs<Ruled<Format, Op, Ftz, Limit::Relu>, Operands>(pair);
    return with_pairs<Ruled<Format, Op, Ftz, Limit::None>, Operands>(pair);
  };
  return operation.has(Modifier::Ftz) ? with.template operator()<true>() : with.template operator()<false>();
}

template <typename Format, bool IsMin>
Handler select_extreme(const Operation& operation, bool pair) {
  const bool xorsign = operation.has(Modifier::Xorsign);
  if (xorsign != operation.has(Modifier::Abs)) return nullptr;
  const auto with = [&]<bool Ftz>() -> Handler {
    if (operation.has(Modifier::PropagateNan))
      return xorsign ? with_pairs<SmallExtreme<Format, IsMin, true, Ftz, true>, 2>(pair)
                     : with_pairs<SmallExtreme<Format, IsMin, true, Ftz, false>, 2>(pair);
    return xorsign ? with_pairs<SmallExtreme<Format, IsMin, false, Ftz, true>, 2>(pair)
                   : with_pairs<SmallExtreme<Format, IsMin, false, Ftz, false>, 2>(pair);
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
