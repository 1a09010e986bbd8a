// IEEE 754 arithmetic in integers (PTX ISA, "Floating-Point Instructions"): exact results, rounded once, on any host.
#pragma once

#include <cstdint>

namespace warpfork::reference {

/// PTX's rounding: .rn, .rz, .rm, .rp; NearestAway is cvt's .rna.
enum class Rounding : std::uint8_t { NearestEven, Zero, Down, Up, NearestAway };

/// An IEEE 754 binary interchange format; widths in bits.
struct FloatFormat {
  unsigned exponent_bits, fraction_bits;

  constexpr unsigned width() const { return 1 + exponent_bits + fraction_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign_mask() const { return std::uint64_t{1} << (width() - 1); }
  constexpr std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  constexpr std::uint64_t quiet_bit() const { return std::uint64_t{1} << (fraction_bits - 1); }
  /// The NaN that arithmetic gives: 0x7fffffff in f32, 0x7fff in f16 and bf16; 0xfff8000000000000 in f64, if no operand
  /// is one.
  constexpr std::uint64_t canonical_nan() const { return fraction_bits == 52 ? 0xfff8000000000000u : sign_mask() - 1; }
};

inline constexpr FloatFormat kF16{5, 10}, kBf16{8, 7}, kF32{8, 23}, kF64{11, 52};

/// A number as it is before rounding: (−1)^negative · magnitude · 2^exponent. Results of divide and square_root (and of
/// an add of operands far apart) carry more than 60 significant bits, the lowest of them set if anything was cut off.
struct Real {
  enum class Kind : std::uint8_t { Finite, Infinite, NotANumber };
  Kind kind = Kind::Finite;
  bool negative = false;
  unsigned __int128 magnitude = 0;
  int exponent = 0;

  bool is_nan() const { return kind == Kind::NotANumber; }
  bool is_infinite() const { return kind == Kind::Infinite; }
  bool is_zero() const { return kind == Kind::Finite && magnitude == 0; }
  bool is_finite() const { return kind == Kind::Finite; }

  static Real nan() { return {Kind::NotANumber, false, 0, 0}; }
  static Real infinity(bool negative) { return {Kind::Infinite, negative, 0, 0}; }
  static Real zero(bool negative) { return {Kind::Finite, negative, 0, 0}; }
  static Real integer(__int128 value);
};

Real decode(std::uint64_t bits, FloatFormat format);
/// Rounds to the format; overflow and underflow as IEEE 754 has them; a NaN becomes the canonical one.
std::uint64_t encode(const Real& value, FloatFormat format, Rounding rounding);

/// An operand or a result under `.ftz`: subnormals become zero of the same sign.
std::uint64_t flush_subnormal(std::uint64_t bits, FloatFormat format);
bool is_subnormal(std::uint64_t bits, FloatFormat format);

/// The rounding mode decides only the sign of an exact zero.
Real add(const Real& a, const Real& b, Rounding rounding);
Real multiply(const Real& a, const Real& b);
Real divide(const Real& a, const Real& b);
Real square_root(const Real& a);
Real negate(Real a);

/// −1, 0 or 1 as a is less than, equal to or greater than b; neither is a NaN; −0 equals +0.
int compare(const Real& a, const Real& b);

/// The nearest integer in the given direction, still as a Real; keeps the sign of zero.
Real round_to_integral(const Real& a, Rounding rounding);
/// What round_to_integral gave (no NaN), clamped to [low, high].
__int128 clamp_to_integer(const Real& integral, __int128 low, __int128 high);

}  // namespace warpfork::reference
