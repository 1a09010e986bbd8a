// PTX ISA, "Floating Point Instructions" for f32 and f64 with IEEE results: add, sub, mul, fma, mad, div, rcp, sqrt,
// abs, neg, min, max, and testp and copysign; pairs of f32, and f32 with factors and terms of 16 bits.
#include "simt/lanes/extremes.h"
#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <typename T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <typename T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Fma {
  template <typename T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct Div {
  template <typename T>
  static T apply(T a, T b) {
    return a / b;
  }
};
/// Of two NaNs it gives the dividend's.
struct DivDouble {
  static double apply(double a, double b) {
    const double result = a / b;
    return result != result ? nan_of(b, a) : result;
  }
};
/// div.approx.f32 works by a reciprocal, which is lost for divisors above 2^126.
struct DivApprox {
  static float apply(float a, float b) {
    const float size = std::bit_cast<float>(bits(b) & ~kSign<float>);
    const bool lost = size > 0x1p126f && size < std::bit_cast<float>(0x7f800000u);
    const float sign = std::bit_cast<float>((bits(a) ^ bits(b)) & kSign<float>);
    return lost && a == a ? (a - a == 0 ? sign : a - a) : a / b;
  }
};
struct Rcp {
  template <typename T>
  static T apply(T a) {
    return T{1} / a;
  }
};
struct Sqrt {
  static double apply(double a) { return std::sqrt(a); }
  /// The NaN of single precision by the result's bits: clang 22 takes any NaN that is chosen for those that have no
  /// root for the one that the host's instruction gives them.
  static float apply(float a) {
    constexpr Bits<float> kInfinity = 0x7f800000, kNan = 0x7fffffff;
    const Bits<float> root = bits(std::sqrt(a));
    return std::bit_cast<float>((root & ~kSign<float>) > kInfinity ? kNan : root);
  }
};
struct Neg {
  template <typename T>
  static T apply(T a) {
    return std::bit_cast<T>(bits(a) ^ kSign<T>);
  }
};
struct Abs {
  template <typename T>
  static T apply(T a) {
    return magnitude(a);
  }
};

struct CopySign {
  template <typename T>
  static T apply(T a, T b) {
    return std::bit_cast<T>((bits(b) & ~kSign<T>) | (bits(a) & kSign<T>));
  }
};

enum class Class { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <typename T, Class Wanted>
void testp(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  constexpr Bits<T> kInfinity = sizeof(T) == 4 ? Bits<T>{0x7f800000} : static_cast<Bits<T>>(0x7ff0000000000000);
  const Row<Bits<T>> a(warp.registers + instruction.operand[1]);
  const RowLanes result = collect<Bits<T>>([=](unsigned lane) {
    const Bits<T> magnitude = a[lane] & ~kSign<T>;
    const bool zero_exponent = (magnitude & kInfinity) == 0;
    switch (Wanted) {
      case Class::Finite:
        return magnitude < kInfinity;
      case Class::Infinite:
        return magnitude == kInfinity;
      case Class::Number:
        return magnitude <= kInfinity;
      case Class::NotANumber:
        return magnitude > kInfinity;
      case Class::Normal:
        return magnitude == 0 || (magnitude < kInfinity && !zero_exponent);  // the ISA counts zeros among them
      default:
        return zero_exponent && magnitude != 0;
    }
  });
  set_predicate(warp, instruction.operand[0], result, lanes);
}

template <typename T>
Handler select_testp(const Operation& operation) {
  if (operation.has(Modifier::Finite)) return testp<T, Class::Finite>;
  if (operation.has(Modifier::Infinite)) return testp<T, Class::Infinite>;
  if (operation.has(Modifier::Number)) return testp<T, Class::Number>;
  if (operation.has(Modifier::Notanumber)) return testp<T, Class::NotANumber>;
  if (operation.has(Modifier::Normal)) return testp<T, Class::Normal>;
  if (operation.has(Modifier::Subnormal)) return testp<T, Class::Subnormal>;
  return nullptr;
}

/// Whether a rounding other than to nearest even is asked for.
bool is_directed(const Operation& operation) {
  return operation.has(Modifier::Rz) || operation.has(Modifier::Rm) || operation.has(Modifier::Rp);
}

template <typename Op, typename T, typename... In>
Handler with_rules(const Operation& operation) {
  const bool directed = is_directed(operation);
  const auto with = [&]<bool Ftz, bool Sat>() -> Handler {
    using Rule = Ruled<Op, Ftz, Sat>;
    return directed ? lanewise_rounded<Rule, T, In...> : lanewise<Rule, T, In...>;
  };
  const bool sat = operation.has(Modifier::Sat);
  if constexpr (sizeof(T) == 8) {
    return sat ? nullptr : with.template operator()<false, false>();
  } else {
    if (operation.has(Modifier::Ftz))
      return sat ? with.template operator()<true, true>() : with.template operator()<true, false>();
    return sat ? with.template operator()<false, true>() : with.template operator()<false, false>();
  }
}

/// Two results of Rule in one register.
template <typename Rule>
struct OfPairs {
  static constexpr bool kCostly = true;
  template <typename... T>
  static std::uint64_t apply(T... pairs) {
    return half(static_cast<std::uint32_t>(pairs)...) | half(static_cast<std::uint32_t>(pairs >> 32)...) << 32;
  }

 private:
  template <typename... T>
  static std::uint64_t half(T... values) {
    return bits(Rule::apply(std::bit_cast<float>(values)...));
  }
};

template <typename Op, typename... In>
Handler of_pairs(const Operation& operation) {
  const auto with = [&]<bool Ftz>() -> Handler {
    using Rule = OfPairs<Ruled<Op, Ftz, false>>;
    return is_directed(operation) ? lanewise_rounded<Rule, std::uint64_t, In...> : lanewise<Rule, std::uint64_t, In...>;
  };
  return operation.has(Modifier::Ftz) ? with.template operator()<true>() : with.template operator()<false>();
}

Handler select_of_pairs(const Operation& operation) {
  using U = std::uint64_t;
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      return of_pairs<Add, U, U>(operation);
    case Opcode::Sub:
      return of_pairs<Sub, U, U>(operation);
    case Opcode::Mul:
      return of_pairs<Mul, U, U>(operation);
    case Opcode::Fma:
      return of_pairs<Fma, U, U, U>(operation);
    default:
      return nullptr;
  }
}

/// All operands but the last are of 16 bits, and exact in single precision.
template <typename Format, typename Rule>
struct OfSmall {
  static constexpr bool kCostly = true;
  static float wide(std::uint16_t value) { return static_cast<float>(Format::to_double(value)); }
  static float apply(std::uint16_t a, float c) { return Rule::apply(wide(a), c); }
  static float apply(std::uint16_t a, std::uint16_t b, float c) { return Rule::apply(wide(a), wide(b), c); }
};

template <typename Format, typename Op, typename... In>
Handler of_small(const Operation& operation) {
  const auto with = [&]<bool Sat>() -> Handler {
    using Rule = OfSmall<Format, Ruled<Op, false, Sat>>;
    return is_directed(operation) ? lanewise_rounded<Rule, float, In...> : lanewise<Rule, float, In...>;
  };
  return operation.has(Modifier::Sat) ? with.template operator()<true>() : with.template operator()<false>();
}

template <typename Format>
Handler select_of_small(const Operation& operation) {
  using U = std::uint16_t;
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      return of_small<Format, Add, U, float>(operation);
    case Opcode::Sub:
      return of_small<Format, Sub, U, float>(operation);
    case Opcode::Fma:
      return of_small<Format, Fma, U, U, float>(operation);
    default:
      return nullptr;
  }
}

template <typename Op, typename T>
Handler binary(const Operation& operation) {
  if (reads_literal(operation)) return lanewise<Ruled<Op, false, false>, T, T, Literal<T>>;
  return with_rules<Op, T, T, T>(operation);
}

template <typename Op, typename T>
Handler select_extreme_of_three(const Operation& operation) {
  return operation.has(Modifier::PropagateNan) ? with_rules<PropagateNan<Op>, T, T, T, T>(operation)
                                               : with_rules<Op, T, T, T, T>(operation);
}

template <typename Op, typename T>
Handler select_extreme(const Operation& operation) {
  const bool xorsign = operation.has(Modifier::Xorsign);
  if (operation.instruction.operands.size() == 4)
    return xorsign                        ? nullptr
           : operation.has(Modifier::Abs) ? select_extreme_of_three<OfMagnitudes<Three<Op>>, T>(operation)
                                          : select_extreme_of_three<Three<Op>, T>(operation);
  if (xorsign != operation.has(Modifier::Abs)) return nullptr;
  if (operation.has(Modifier::PropagateNan))
    return xorsign ? with_rules<PropagateNan<XorSign<Op>>, T, T, T>(operation)
                   : with_rules<PropagateNan<Op>, T, T, T>(operation);
  return xorsign ? with_rules<XorSign<Op>, T, T, T>(operation) : with_rules<Op, T, T, T>(operation);
}

template <typename T>
Handler select_division(const Operation& operation) {
  if constexpr (sizeof(T) == 4)
    if (operation.has(Modifier::Approx)) return with_rules<DivApprox, T, T, T>(operation);
  if constexpr (sizeof(T) == 8)
    return is_directed(operation) ? lanewise_rounded<DivDouble, T, T, T> : lanewise<DivDouble, T, T, T>;
  return with_rules<Div, T, T, T>(operation);
}

template <typename T>
Handler select_for(const Operation& operation) {
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      return binary<Add, T>(operation);
    case Opcode::Sub:
      return binary<Sub, T>(operation);
    case Opcode::Mul:
      return binary<Mul, T>(operation);
    case Opcode::Fma:
    case Opcode::Mad:  // fused on every target of capability 2.0 and later
      return with_rules<Fma, T, T, T, T>(operation);
    case Opcode::Div:
      return select_division<T>(operation);
    case Opcode::Rcp:
      return with_rules<Rcp, T, T>(operation);
    case Opcode::Sqrt:
      return with_rules<Sqrt, T, T>(operation);
    case Opcode::Neg:
      return with_rules<Neg, T, T>(operation);
    case Opcode::Abs:
      return with_rules<Abs, T, T>(operation);
    case Opcode::Min:
      return select_extreme<Least, T>(operation);
    case Opcode::Max:
      return select_extreme<Greatest, T>(operation);
    case Opcode::Copysign:
      return lanewise<CopySign, T, T, T>;
    case Opcode::Testp:
      return select_testp<T>(operation);
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_float(const Operation& operation) {
  const auto& types = operation.instruction.types;
  if (types.size() == 2 && types[1] == ScalarType::F16) return select_of_small<Half>(operation);
  if (types.size() == 2 && types[1] == ScalarType::Bf16) return select_of_small<BFloat>(operation);
  if (operation.type() == ScalarType::F32x2) return select_of_pairs(operation);
  if (operation.type() == ScalarType::F32) return select_for<float>(operation);
  if (operation.type() == ScalarType::F64) return select_for<double>(operation);
  return nullptr;
}

}  // namespace warpfork::simt::WARPFORK_LANES
