#include "reference/soft_float.h"

#include <algorithm>
#include <bit>

namespace warpfork::reference {
namespace {

using Wide = unsigned __int128;

/// Position of the highest set bit of a number that is not zero.
int highest_bit(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(value));
}

/// value >> shift, the lowest bit set if a bit fell off.
Wide shift_right_jam(Wide value, int shift) {
  if (shift <= 0) return value;
  if (shift > 127) return value != 0 ? 1 : 0;
  const bool lost = (value & ((Wide{1} << shift) - 1)) != 0;
  return (value >> shift) | (lost ? 1 : 0);
}

/// The same value with its highest bit at position 125, so that a sum of two still fits.
Real normalised(Real value) {
  const int shift = 125 - highest_bit(value.magnitude);
  value.magnitude <<= shift;
  value.exponent -= shift;
  return value;
}

/// Whether a number between `kept` and `kept + 1` goes up in magnitude; `half` is −1, 0, 1 as the rest is below, at or
/// above one half.
bool rounds_away(Rounding rounding, bool negative, bool odd, bool inexact, int half) {
  switch (rounding) {
    case Rounding::NearestEven:
      return half > 0 || (half == 0 && odd);
    case Rounding::NearestAway:
      return half >= 0;
    case Rounding::Zero:
      return false;
    case Rounding::Down:
      return negative && inexact;
    case Rounding::Up:
      return !negative && inexact;
  }
  return false;
}

/// magnitude / 2^shift, rounded to an integer; shift ≥ 0.
Wide shift_right_rounded(Wide magnitude, int shift, Rounding rounding, bool negative) {
  if (shift == 0) return magnitude;
  if (shift > 127) return rounds_away(rounding, negative, false, true, -1) ? 1 : 0;  // below a half: magnitude < 2^126
  const Wide kept = magnitude >> shift;
  const Wide rest = magnitude - (kept << shift);
  const Wide half = Wide{1} << (shift - 1);
  const int against_half = rest < half ? -1 : rest == half ? 0 : 1;
  const bool inexact = rest != 0;
  const bool up = inexact && rounds_away(rounding, negative, (kept & 1) != 0, inexact, against_half);
  return kept + (up ? 1 : 0);
}

std::uint64_t overflowed(bool negative, FloatFormat format, Rounding rounding) {
  const bool to_infinity = rounding == Rounding::NearestEven || rounding == Rounding::NearestAway ||
                           (rounding == Rounding::Up && !negative) || (rounding == Rounding::Down && negative);
  return format.infinity() - (to_infinity ? 0 : 1);
}

Wide integer_square_root(Wide value) {
  Wide root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide trial = root | (Wide{1} << bit);
    if (trial * trial <= value) root = trial;
  }
  return root;
}

}  // namespace

Real Real::integer(__int128 value) {
  const bool negative = value < 0;
  const Wide magnitude = negative ? -static_cast<Wide>(value) : static_cast<Wide>(value);
  return {Kind::Finite, negative, magnitude, 0};
}

Real decode(std::uint64_t bits, FloatFormat format) {
  const bool negative = (bits & format.sign_mask()) != 0;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const auto exponent = static_cast<int>((bits & format.infinity()) >> format.fraction_bits);
  const int all_ones = (1 << format.exponent_bits) - 1;
  if (exponent == all_ones) return fraction != 0 ? Real::nan() : Real::infinity(negative);
  const std::uint64_t hidden = exponent != 0 ? std::uint64_t{1} << format.fraction_bits : 0;
  const int scale = std::max(exponent, 1) - format.bias() - static_cast<int>(format.fraction_bits);
  return {Real::Kind::Finite, negative, hidden | fraction, scale};
}

std::uint64_t encode(const Real& value, FloatFormat format, Rounding rounding) {
  const std::uint64_t sign = value.negative ? format.sign_mask() : 0;
  if (value.is_nan()) return format.canonical_nan();
  if (value.is_infinite()) return sign | format.infinity();
  if (value.magnitude == 0) return sign;

  const int fraction_bits = static_cast<int>(format.fraction_bits);
  const int smallest_exponent = 1 - format.bias();
  // The weight of the result's lowest bit: of a normal number, or the fixed one of the subnormals.
  int unit = std::max(highest_bit(value.magnitude) + value.exponent, smallest_exponent) - fraction_bits;
  Wide kept = unit <= value.exponent
                  ? value.magnitude << (value.exponent - unit)
                  : shift_right_rounded(value.magnitude, unit - value.exponent, rounding, value.negative);
  if (kept >> (fraction_bits + 1) != 0) {
    kept >>= 1;
    ++unit;
  }
  if (kept >> fraction_bits == 0) return sign | static_cast<std::uint64_t>(kept);  // subnormal or zero
  const int biased = unit + fraction_bits + format.bias();
  if (biased >= (1 << format.exponent_bits) - 1) return sign | overflowed(value.negative, format, rounding);
  const std::uint64_t fraction = static_cast<std::uint64_t>(kept) & ((std::uint64_t{1} << fraction_bits) - 1);
  return sign | (static_cast<std::uint64_t>(biased) << fraction_bits) | fraction;
}

bool is_subnormal(std::uint64_t bits, FloatFormat format) {
  return (bits & format.infinity()) == 0 && (bits & ~format.sign_mask()) != 0;
}

std::uint64_t flush_subnormal(std::uint64_t bits, FloatFormat format) {
  return is_subnormal(bits, format) ? bits & format.sign_mask() : bits;
}

Real negate(Real a) {
  a.negative = !a.negative;
  return a;
}

Real add(const Real& a, const Real& b, Rounding rounding) {
  if (a.is_nan() || b.is_nan()) return Real::nan();
  if (a.is_infinite() && b.is_infinite() && a.negative != b.negative) return Real::nan();
  if (a.is_infinite()) return a;
  if (b.is_infinite()) return b;
  if (a.is_zero() && b.is_zero()) return Real::zero(a.negative == b.negative ? a.negative : rounding == Rounding::Down);
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;

  Real high = normalised(a), low = normalised(b);
  if (high.exponent < low.exponent) std::swap(high, low);
  const Wide aligned = shift_right_jam(low.magnitude, high.exponent - low.exponent);
  if (high.negative == low.negative)
    return {Real::Kind::Finite, high.negative, high.magnitude + aligned, high.exponent};
  if (high.magnitude == aligned) return Real::zero(rounding == Rounding::Down);
  if (high.magnitude > aligned) return {Real::Kind::Finite, high.negative, high.magnitude - aligned, high.exponent};
  return {Real::Kind::Finite, low.negative, aligned - high.magnitude, high.exponent};
}

Real multiply(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return Real::nan();
  if (a.is_infinite() || b.is_infinite()) return a.is_zero() || b.is_zero() ? Real::nan() : Real::infinity(negative);
  return {Real::Kind::Finite, negative, a.magnitude * b.magnitude, a.exponent + b.exponent};
}

Real divide(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return Real::nan();
  if (a.is_infinite()) return b.is_infinite() ? Real::nan() : Real::infinity(negative);
  if (b.is_infinite()) return Real::zero(negative);
  if (b.is_zero()) return a.is_zero() ? Real::nan() : Real::infinity(negative);
  if (a.is_zero()) return Real::zero(negative);
  const Real dividend = normalised(a);  // 126 bits over at most 53: a quotient of at least 73
  const Wide quotient = dividend.magnitude / b.magnitude;
  const bool inexact = dividend.magnitude % b.magnitude != 0;
  return {Real::Kind::Finite, negative, quotient | (inexact ? 1 : 0), dividend.exponent - b.exponent};
}

Real square_root(const Real& a) {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative) return Real::nan();
  if (a.is_infinite()) return a;
  Real radicand = normalised(a);
  if (radicand.exponent % 2 != 0) {
    radicand.magnitude <<= 1;
    radicand.exponent -= 1;
  }
  const Wide root = integer_square_root(radicand.magnitude);
  const bool inexact = root * root != radicand.magnitude;
  // Two more bits below, so that the mark of inexactness is not the root's own lowest bit.
  return {Real::Kind::Finite, false, (root << 2) | (inexact ? 1 : 0), radicand.exponent / 2 - 2};
}

int compare(const Real& a, const Real& b) {
  const auto sign_of = [](const Real& value) { return value.is_zero() ? 0 : value.negative ? -1 : 1; };
  if (sign_of(a) != sign_of(b)) return sign_of(a) < sign_of(b) ? -1 : 1;
  if (sign_of(a) == 0) return 0;
  if (a.is_infinite() || b.is_infinite()) {
    const int larger = static_cast<int>(a.is_infinite()) - static_cast<int>(b.is_infinite());
    return a.negative ? -larger : larger;
  }
  const Real difference = add(a, negate(b), Rounding::NearestEven);
  return difference.is_zero() ? 0 : difference.negative ? -1 : 1;
}

Real round_to_integral(const Real& a, Rounding rounding) {
  if (!a.is_finite() || a.is_zero() || a.exponent >= 0) return a;
  return {Real::Kind::Finite, a.negative, shift_right_rounded(a.magnitude, -a.exponent, rounding, a.negative), 0};
}

__int128 clamp_to_integer(const Real& integral, __int128 low, __int128 high) {
  if (integral.is_zero()) return std::clamp<__int128>(0, low, high);
  const bool huge = integral.is_infinite() || highest_bit(integral.magnitude) + integral.exponent > 100;
  if (huge) return integral.negative ? low : high;
  const auto magnitude = static_cast<__int128>(integral.magnitude << integral.exponent);
  return std::clamp(integral.negative ? -magnitude : magnitude, low, high);
}

}  // namespace warpfork::reference
