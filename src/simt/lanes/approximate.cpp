// PTX ISA, approximate functions: sin, cos, lg2, ex2, tanh, rsqrt (f32), ex2 and tanh of 16-bit floats, and the f64
// forms of rcp and rsqrt.
//
// The ISA states a largest error; ours are computed in double by series of our own, so that every host gives the same
// bits, and rounded once: within 1 ulp for sin and cos up to a few thousand, everywhere for the others.
#include <numbers>

#include "simt/lanes/float_rules.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

inline constexpr float kInfinity = std::bit_cast<float>(0x7f800000u);

/// 2^n for n in −1022 … 1023.
double power_of_two(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52); }

/// Taylor series of sine and cosine on [−π/4, π/4]: the first term left out is below 2^-45.
double sine_series(double r) {
  const double s = r * r;
  double sum = -1.0 / 39916800;
  sum = sum * s + 1.0 / 362880;
  sum = sum * s - 1.0 / 5040;
  sum = sum * s + 1.0 / 120;
  sum = sum * s - 1.0 / 6;
  return r + r * s * sum;
}
double cosine_series(double r) {
  const double s = r * r;
  double sum = 1.0 / 479001600;
  sum = sum * s - 1.0 / 3628800;
  sum = sum * s + 1.0 / 40320;
  sum = sum * s - 1.0 / 720;
  sum = sum * s + 1.0 / 24;
  return 1.0 - s * 0.5 + s * s * sum;
}

/// sin(x + quarter_turns · π/2) for finite x.
double sine(double x, int quarter_turns) {
  // π/2 in two parts; the first has 33 bits, so that its product with any count of up to 20 bits is exact.
  constexpr double kHalfPiHigh = 0x1.921fb544p+0, kHalfPiLow = 0x1.0b4611a626331p-34;
  // fmod is exact, so what is lost far out, where the ISA promises nothing, is lost alike on every host.
  if (std::fabs(x) > 0x1p20) x = std::fmod(x, 4 * (kHalfPiHigh + kHalfPiLow));
  const double turns = std::floor(x * std::numbers::inv_pi * 2 + 0.5);
  const double rest = (x - turns * kHalfPiHigh) - turns * kHalfPiLow;
  const int quadrant = (static_cast<int>(turns) + quarter_turns) & 3;
  const double value = quadrant & 1 ? cosine_series(rest) : sine_series(rest);
  return quadrant & 2 ? -value : value;
}

/// 2^x for |x| ≤ 1000, by the exponential series on [−ln 2 / 2, ln 2 / 2].
double exponential(double x) {
  const double whole = std::floor(x + 0.5);
  const double t = (x - whole) * std::numbers::ln2;
  double sum = 1.0 / 39916800;
  sum = sum * t + 1.0 / 3628800;
  sum = sum * t + 1.0 / 362880;
  sum = sum * t + 1.0 / 40320;
  sum = sum * t + 1.0 / 5040;
  sum = sum * t + 1.0 / 720;
  sum = sum * t + 1.0 / 120;
  sum = sum * t + 1.0 / 24;
  sum = sum * t + 1.0 / 6;
  sum = sum * t + 1.0 / 2;
  sum = sum * t + 1.0;
  sum = sum * t + 1.0;
  return sum * power_of_two(static_cast<int>(whole));
}

/// log2(x) for finite x > 0, any number for others: 2 atanh((m − 1) / (m + 1)) with the mantissa m in [√½, √2].
double logarithm(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const double significand = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  const bool halves = significand > std::numbers::sqrt2;
  const int exponent = static_cast<int>(bits >> 52) - 1023 + halves;
  const double mantissa = halves ? significand * 0.5 : significand;
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  double sum = 1.0 / 19;
  sum = sum * square + 1.0 / 17;
  sum = sum * square + 1.0 / 15;
  sum = sum * square + 1.0 / 13;
  sum = sum * square + 1.0 / 11;
  sum = sum * square + 1.0 / 9;
  sum = sum * square + 1.0 / 7;
  sum = sum * square + 1.0 / 5;
  sum = sum * square + 1.0 / 3;
  sum = sum * square + 1.0;
  return exponent + 2 * std::numbers::log2e * s * sum;
}

struct Sin {
  static float apply(float a) {
    if (a == 0) return a;
    return std::fabs(a) < kInfinity ? static_cast<float>(sine(a, 0)) : NAN;
  }
};
struct Cos {
  static float apply(float a) { return std::fabs(a) < kInfinity ? static_cast<float>(sine(a, 1)) : NAN; }
};
/// Without branches, as vector code has none: 2^128 is rounded to infinity, 2^-151 to 0.
struct Ex2 {
  static float apply(float a) {
    const float within = a > -151 ? (a < 128 ? a : 128.0f) : -151.0f;
    const float power = static_cast<float>(exponential(within));
    return a == a ? power : a;
  }
};
struct Lg2 {
  static float apply(float a) {
    const float power = static_cast<float>(logarithm(a));
    return a == 0 ? -kInfinity : a == kInfinity ? a : a > 0 ? power : NAN;
  }
};
struct Tanh {
  static float apply(float a) {
    const float size = std::fabs(a);
    if (!(size > 0x1p-12f)) return a;  // tanh a = a − a³/3 …; also NaN
    if (size > 20) return a > 0 ? 1.0f : -1.0f;
    const double e = exponential(2 * std::numbers::log2e * a);
    return static_cast<float>((e - 1) / (e + 1));
  }
};
struct Rsqrt {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
  }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper word and give only an upper word.
template <typename Op>
struct UpperWord {
  static double cut(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & 0xffffffff00000000;
    const bool subnormal = (bits & 0x7ff0000000000000) == 0;
    return std::bit_cast<double>(subnormal ? bits & 0x8000000000000000 : bits);
  }
  static double apply(double a) {
    const double result = Op::apply(cut(a));
    return result != result ? nan_of(a) : cut(result);
  }
};
struct Rcp {
  static double apply(double a) { return 1.0 / a; }
};

template <typename Op>
Handler with_rules(const Operation& operation) {
  if (operation.type() != ScalarType::F32) return nullptr;
  return operation.has(Modifier::Ftz) ? lanewise<Ruled<Op, true, false>, float, float>
                                      : lanewise<Ruled<Op, false, false>, float, float>;
}

/// Lane by lane or not is a matter of Op; Ruled hides it.
template <typename Op, bool Ftz>
struct CostlyRule : Ruled<Op, Ftz, false> {
  static constexpr bool kCostly = true;
};

template <typename Op>
Handler with_costly_rules(const Operation& operation) {
  if (operation.type() != ScalarType::F32) return nullptr;
  return operation.has(Modifier::Ftz) ? lanewise<CostlyRule<Op, true>, float, float>
                                      : lanewise<CostlyRule<Op, false>, float, float>;
}

/// As of a float, and rounded once more.
template <typename Format, typename Op, bool Ftz>
struct SmallRule {
  static std::uint16_t apply(std::uint16_t value) {
    const auto wide = static_cast<float>(Format::to_double(flushed<Format, Ftz>(value)));
    return flushed<Format, Ftz>(Format::from_double(Op::apply(wide), Rounding::Nearest));
  }
};

/// `of_float`: what it is for other types.
template <typename Op>
Handler with_small_rules(const Operation& operation, Handler of_float) {
  const bool ftz = operation.has(Modifier::Ftz);
  switch (operation.type()) {
    case ScalarType::F16:
    case ScalarType::F16x2:
      return with_pairs<SmallRule<Half, Op, false>, 1>(operation.type() == ScalarType::F16x2);
    case ScalarType::Bf16:
    case ScalarType::Bf16x2:
      return ftz ? with_pairs<SmallRule<BFloat, Op, true>, 1>(operation.type() == ScalarType::Bf16x2)
                 : with_pairs<SmallRule<BFloat, Op, false>, 1>(operation.type() == ScalarType::Bf16x2);
    default:
      return of_float;
  }
}

}  // namespace

Handler select_approximate(const Operation& operation) {
  const bool f64 = operation.type() == ScalarType::F64;
  switch (operation.instruction.opcode) {
    case Opcode::Sin:
      return with_costly_rules<Sin>(operation);
    case Opcode::Cos:
      return with_costly_rules<Cos>(operation);
    case Opcode::Ex2:
      return with_small_rules<Ex2>(operation, with_rules<Ex2>(operation));
    case Opcode::Lg2:
      return with_rules<Lg2>(operation);
    case Opcode::Tanh:
      return with_small_rules<Tanh>(operation, with_costly_rules<Tanh>(operation));
    case Opcode::Rsqrt:
      if (f64)
        return operation.has(Modifier::Ftz) ? lanewise<UpperWord<Rsqrt>, double, double>
                                            : lanewise<Ruled<Rsqrt, false, false>, double, double>;
      return with_rules<Rsqrt>(operation);
    case Opcode::Rcp:
      return f64 ? lanewise<UpperWord<Rcp>, double, double> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
