/* Products and quotients of complex numbers, with infinities and without needless overflow as in C (ISO/IEC 9899:2011,
   Annex G.5.1). Included by <cuda/std/complex>. */
#pragma once

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

namespace detail {

/* 1 of an infinite part, 0 of a finite one, with its sign. */
template <class T>
constexpr T boxed(T part) {
  return __builtin_copysign(__builtin_isinf(part) ? T(1) : T(0), part);
}
template <class T>
constexpr T number(T part) {
  return part != part ? __builtin_copysign(T(0), part) : part;
}
template <class T>
inline constexpr T infinite = numeric_limits<T>::infinity();

/* Where both parts of a product are no numbers: infinite if a factor is. */
template <class T>
constexpr complex<T> product_of_infinities(T a, T b, T c, T d) {
  bool is_infinite = false;
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = boxed(a), b = boxed(b), c = number(c), d = number(d);
    is_infinite = true;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = boxed(c), d = boxed(d), a = number(a), b = number(b);
    is_infinite = true;
  }
  if (!is_infinite &&
      (__builtin_isinf(a * c) || __builtin_isinf(b * d) || __builtin_isinf(a * d) || __builtin_isinf(b * c))) {
    a = number(a), b = number(b), c = number(c), d = number(d);
    is_infinite = true;
  }
  if (!is_infinite) return {numeric_limits<T>::quiet_NaN(), numeric_limits<T>::quiet_NaN()};
  return {infinite<T> * (a * c - b * d), infinite<T> * (a * d + b * c)};
}
template <class T>
__host__ __device__ complex<T> quotient_of_infinities(T a, T b, T c, T d) {
  if (c == 0 && d == 0 && (a == a || b == b))
    return {std::copysign(infinite<T>, c) * a, std::copysign(infinite<T>, c) * b};
  if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d))
    return {infinite<T> * (boxed(a) * c + boxed(b) * d), infinite<T> * (boxed(b) * c - boxed(a) * d)};
  if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b))
    return {T(0) * (a * boxed(c) + b * boxed(d)), T(0) * (b * boxed(c) - a * boxed(d))};
  return {numeric_limits<T>::quiet_NaN(), numeric_limits<T>::quiet_NaN()};
}

}  // namespace detail

template <class T>
constexpr complex<T> operator*(const complex<T>& x, const complex<T>& y) {
  const T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  const T real = a * c - b * d, imaginary = a * d + b * c;
  if (real != real && imaginary != imaginary) return detail::product_of_infinities(a, b, c, d);
  return {real, imaginary};
}

template <class T>
__host__ __device__ complex<T> operator/(const complex<T>& x, const complex<T>& y) {
  const T a = x.real(), b = x.imag();
  T c = y.real(), d = y.imag();
  const T exponent = std::logb(std::fmax(std::fabs(c), std::fabs(d)));
  int scale = 0;
  if (__builtin_isfinite(exponent)) {
    scale = static_cast<int>(exponent);
    c = std::scalbn(c, -scale);
    d = std::scalbn(d, -scale);
  }
  const T squares = c * c + d * d;
  const T real = std::scalbn((a * c + b * d) / squares, -scale);
  const T imaginary = std::scalbn((b * c - a * d) / squares, -scale);
  if (real != real && imaginary != imaginary) return detail::quotient_of_infinities(a, b, c, d);
  return {real, imaginary};
}

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
