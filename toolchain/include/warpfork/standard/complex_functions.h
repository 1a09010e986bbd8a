/* Functions of complex numbers, by those of real ones: their last bits are not NVIDIA's. Included by
   <cuda/std/complex>. */
#pragma once

WARPFORK_LINES_OF_CALLERS
namespace cuda::std {

template <class T>
__host__ __device__ T abs(const complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
__host__ __device__ T arg(const complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
template <class T>
constexpr T norm(const complex<T>& z) {
  if (__builtin_isinf(z.real()) || __builtin_isinf(z.imag())) return numeric_limits<T>::infinity();
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
__host__ __device__ complex<T> proj(const complex<T>& z) {
  if (__builtin_isinf(z.real()) || __builtin_isinf(z.imag()))
    return {numeric_limits<T>::infinity(), std::copysign(T(0), z.imag())};
  return z;
}
template <class T>
__host__ __device__ complex<T> polar(const T& length, const T& angle = T()) {
  return {length * std::cos(angle), length * std::sin(angle)};
}

namespace detail {

/* The part of a product with a sine or cosine: none of a length of 0 though the angle be unknown (ISO/IEC 9899:2011,
   Annex G.6). */
template <class T>
constexpr T part(T length, T of_angle) {
  return length == 0 && of_angle != of_angle ? T(0) : length * of_angle;
}

}  // namespace detail

template <class T>
__host__ __device__ complex<T> exp(const complex<T>& z) {
  const T length = std::exp(z.real());
  if (z.imag() == 0) return {length, z.imag()};
  if (__builtin_isinf(length) && !__builtin_isfinite(z.imag())) return {length, numeric_limits<T>::quiet_NaN()};
  return {detail::part(length, std::cos(z.imag())), detail::part(length, std::sin(z.imag()))};
}
template <class T>
__host__ __device__ complex<T> log(const complex<T>& z) {
  return {std::log(std::abs(z)), std::arg(z)};
}
template <class T>
__host__ __device__ complex<T> log10(const complex<T>& z) {
  return std::log(z) / std::log(T(10));
}
/* By the half angle, without a difference of numbers that are nearly the same. */
template <class T>
__host__ __device__ complex<T> sqrt(const complex<T>& z) {
  if (z.real() == 0 && z.imag() == 0) return {T(0), z.imag()};
  if (__builtin_isinf(z.imag())) return {numeric_limits<T>::infinity(), z.imag()};
  const T half = std::sqrt((std::fabs(z.real()) + std::abs(z)) / 2);
  if (z.real() >= 0) return {half, z.imag() / (2 * half)};
  return {std::fabs(z.imag()) / (2 * half), std::copysign(half, z.imag())};
}
template <class T>
__host__ __device__ complex<T> pow(const complex<T>& z, const complex<T>& by) {
  return std::exp(by * std::log(z));
}
template <class T>
__host__ __device__ complex<T> pow(const complex<T>& z, const type_identity_t<T>& by) {
  return std::pow(z, complex<T>(by));
}
template <class T>
__host__ __device__ complex<T> pow(const type_identity_t<T>& z, const complex<T>& by) {
  return std::pow(complex<T>(z), by);
}

template <class T>
__host__ __device__ complex<T> sinh(const complex<T>& z) {
  if (z.imag() == 0) return {std::sinh(z.real()), z.imag()};
  if (z.real() == 0) return {z.real(), std::sin(z.imag())};
  if (__builtin_isinf(z.real()) && !__builtin_isfinite(z.imag())) return {z.real(), numeric_limits<T>::quiet_NaN()};
  return {std::sinh(z.real()) * std::cos(z.imag()), std::cosh(z.real()) * std::sin(z.imag())};
}
template <class T>
__host__ __device__ complex<T> cosh(const complex<T>& z) {
  if (z.imag() == 0) return {std::cosh(z.real()), z.imag() * std::copysign(T(1), z.real())};
  if (z.real() == 0) return {std::cos(z.imag()), z.real() * std::copysign(T(1), z.imag())};
  if (__builtin_isinf(z.real()) && !__builtin_isfinite(z.imag()))
    return {std::fabs(z.real()), numeric_limits<T>::quiet_NaN()};
  return {std::cosh(z.real()) * std::cos(z.imag()), std::sinh(z.real()) * std::sin(z.imag())};
}
/* sinh(2x) and sin(2y) over cosh(2x) + cos(2y), which overflows where the first is 1 long since. */
template <class T>
__host__ __device__ complex<T> tanh(const complex<T>& z) {
  if (__builtin_isinf(z.real())) return {std::copysign(T(1), z.real()), T(0)};
  const T x = 2 * z.real(), y = 2 * z.imag(), below = std::cosh(x) + std::cos(y);
  if (__builtin_isinf(below)) return {std::copysign(T(1), x), std::copysign(T(0), std::sin(y))};
  return {std::sinh(x) / below, std::sin(y) / below};
}
/* Of a trigonometric function by the hyperbolic one of i z. */
namespace detail {

template <class T>
constexpr complex<T> turned_left(const complex<T>& z) {
  return {-z.imag(), z.real()};
}
template <class T>
constexpr complex<T> turned_right(const complex<T>& z) {
  return {z.imag(), -z.real()};
}

}  // namespace detail
template <class T>
__host__ __device__ complex<T> sin(const complex<T>& z) {
  return detail::turned_right(std::sinh(detail::turned_left(z)));
}
template <class T>
__host__ __device__ complex<T> cos(const complex<T>& z) {
  return std::cosh(detail::turned_left(z));
}
template <class T>
__host__ __device__ complex<T> tan(const complex<T>& z) {
  return detail::turned_right(std::tanh(detail::turned_left(z)));
}

/* By the principal values (Kahan, "Branch Cuts for Complex Elementary Functions", 1987). */
template <class T>
__host__ __device__ complex<T> asinh(const complex<T>& z) {
  const complex<T> a = std::sqrt(complex<T>(1 - z.imag(), z.real()));
  const complex<T> b = std::sqrt(complex<T>(1 + z.imag(), -z.real()));
  return {std::asinh(-(std::conj(a) * b).imag()), std::atan2(z.imag(), (a * b).real())};
}
template <class T>
__host__ __device__ complex<T> acos(const complex<T>& z) {
  const complex<T> a = std::sqrt(complex<T>(1 - z.real(), -z.imag()));
  const complex<T> b = std::sqrt(complex<T>(1 + z.real(), z.imag()));
  return {2 * std::atan2(a.real(), b.real()), std::asinh((std::conj(b) * a).imag())};
}
template <class T>
__host__ __device__ complex<T> acosh(const complex<T>& z) {
  const complex<T> a = std::sqrt(complex<T>(z.real() - 1, z.imag())), b = std::sqrt(complex<T>(z.real() + 1, z.imag()));
  return {std::asinh((std::conj(a) * b).real()), 2 * std::atan2(a.imag(), b.real())};
}
template <class T>
__host__ __device__ complex<T> asin(const complex<T>& z) {
  return detail::turned_right(std::asinh(detail::turned_left(z)));
}
template <class T>
__host__ __device__ complex<T> atanh(const complex<T>& z) {
  const complex<T> one(1);
  return (std::log(one + z) - std::log(one - z)) * T(0.5);
}
template <class T>
__host__ __device__ complex<T> atan(const complex<T>& z) {
  return detail::turned_right(std::atanh(detail::turned_left(z)));
}

}  // namespace cuda::std
WARPFORK_LINES_OF_FUNCTIONS
