// The smaller and the larger of floats (PTX ISA, "min", "max", "redux.sync" and vector "atom"): a number wins against
// NaN unless .NaN is asked for, and -0 is below +0.
#pragma once

#include <bit>
#include <cstdint>

#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"

namespace warpfork::simt::WARPFORK_LANES {

template <typename T>
using Bits = Slot<T>;
template <typename T>
inline constexpr Bits<T> kSign = Bits<T>{1} << (8 * sizeof(T) - 1);

template <typename T>
Bits<T> bits(T value) {
  return std::bit_cast<Bits<T>>(value);
}
template <typename T>
T magnitude(T value) {
  return std::bit_cast<T>(bits(value) & ~kSign<T>);
}

struct Least {
  template <typename T>
  static T apply(T a, T b) {
    const T of_equals = std::bit_cast<T>(bits(a) | bits(b));
    const T of_numbers = a < b ? a : (b < a ? b : of_equals);
    return a != a ? b : (b != b ? a : of_numbers);
  }
};
struct Greatest {
  template <typename T>
  static T apply(T a, T b) {
    const T of_equals = std::bit_cast<T>(bits(a) & bits(b));
    const T of_numbers = a > b ? a : (b > a ? b : of_equals);
    return a != a ? b : (b != b ? a : of_numbers);
  }
};
template <typename Op>
struct PropagateNan {
  template <typename... T>
  static auto apply(T... values) {
    const auto sum = (values + ...);
    const bool nan = ((values != values) || ...);
    return nan ? sum : Op::apply(values...);
  }
};
/// .xorsign.abs: the operation on the magnitudes, the sign that a product would have.
template <typename Op>
struct XorSign {
  template <typename T>
  static T apply(T a, T b) {
    const T size = Op::apply(magnitude(a), magnitude(b));
    return std::bit_cast<T>((bits(size) & ~kSign<T>) | ((bits(a) ^ bits(b)) & kSign<T>));
  }
};
/// .abs: of the magnitudes.
template <typename Op>
struct OfMagnitudes {
  template <typename... T>
  static auto apply(T... values) {
    return Op::apply(magnitude(values)...);
  }
};
/// Three operands, PTX ISA 8.8.
template <typename Op>
struct Three {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Op::apply(Op::apply(a, b), c);
  }
};

/// The same of 16-bit floats; MultipliesSigns: .xorsign.abs.
template <typename Format, bool IsMin, bool Propagate, bool Ftz, bool MultipliesSigns>
struct SmallExtreme {
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b) {
    a = flushed<Format, Ftz>(a);
    b = flushed<Format, Ftz>(b);
    if (!MultipliesSigns) return of(a, b);
    const std::uint16_t size = of(a & 0x7fff, b & 0x7fff);
    return size == Format::kNan ? size : size | ((a ^ b) & 0x8000);
  }

 private:
  static std::uint16_t of(std::uint16_t a, std::uint16_t b) {
    const bool a_nan = (a & 0x7fff) > Format::kInfinity, b_nan = (b & 0x7fff) > Format::kInfinity;
    if (a_nan || b_nan) return Propagate || (a_nan && b_nan) ? Format::kNan : a_nan ? b : a;
    // As ordered integers: -0 comes before +0.
    const auto order = [](std::uint16_t value) { return value & 0x8000 ? -(value & 0x7fff) - 1 : int{value}; };
    return (order(a) < order(b)) == IsMin ? a : b;
  }
};

}  // namespace warpfork::simt::WARPFORK_LANES
