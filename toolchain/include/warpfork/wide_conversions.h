// 128-bit integers as floating-point numbers in device code, and the other way round. `warpfork cc` puts calls of these
// in the place of the conversions. What an integer cannot hold becomes the nearest that it can, and a NaN the integer
// whose highest bit alone is set, as with nvcc.
#pragma once

#ifdef __CUDA_ARCH__

WARPFORK_LINES_OF_CALLERS

// The leading 64 bits; the lowest of them is set, too, if any is behind. That is below the last bit that float and
// double have, so that they are rounded as the whole would be.
static __device__ inline unsigned long long __warpfork_leading_bits(unsigned __int128 value, int shift) {
  const unsigned __int128 shifted = value << shift;
  return static_cast<unsigned long long>(shifted >> 64) | (static_cast<unsigned long long>(shifted) != 0);
}

// The integral part of a number below 2^128, without its sign.
static __device__ inline unsigned __int128 __warpfork_magnitude(double number) {
  const unsigned long long bits = __double_as_longlong(number) & 0x7fffffffffffffff;
  const int exponent = static_cast<int>(bits >> 52) - 1075;  // of the last of its 53 bits
  if (exponent <= 0) return static_cast<unsigned long long>(__longlong_as_double(static_cast<long long>(bits)));
  return static_cast<unsigned __int128>((bits & 0xfffffffffffff) | 0x10000000000000) << exponent;
}

extern "C" {
__attribute__((used)) inline __device__ double __warpfork_double_from_u128(unsigned __int128 value) {
  const unsigned long long high = value >> 64;
  if (high == 0) return __ull2double_rn(static_cast<unsigned long long>(value));
  const int shift = __clzll(high);
  const double power = __hiloint2double((1023 + 64 - shift) << 20, 0);
  return __ull2double_rn(__warpfork_leading_bits(value, shift)) * power;
}
__attribute__((used)) inline __device__ float __warpfork_float_from_u128(unsigned __int128 value) {
  const unsigned long long high = value >> 64;
  if (high == 0) return __ull2float_rn(static_cast<unsigned long long>(value));
  const int shift = __clzll(high);
  const float power = __int_as_float((127 + 64 - shift) << 23);
  return __ull2float_rn(__warpfork_leading_bits(value, shift)) * power;
}
__attribute__((used)) inline __device__ double __warpfork_double_from_s128(__int128 value) {
  const unsigned __int128 bits = value;
  return value < 0 ? -__warpfork_double_from_u128(-bits) : __warpfork_double_from_u128(bits);
}
__attribute__((used)) inline __device__ float __warpfork_float_from_s128(__int128 value) {
  const unsigned __int128 bits = value;
  return value < 0 ? -__warpfork_float_from_u128(-bits) : __warpfork_float_from_u128(bits);
}
__attribute__((used)) inline __device__ unsigned __int128 __warpfork_u128_from_double(double number) {
  if (number != number) return static_cast<unsigned __int128>(1) << 127;
  if (number < 0) return 0;
  return number < 0x1p128 ? __warpfork_magnitude(number) : ~static_cast<unsigned __int128>(0);
}
__attribute__((used)) inline __device__ __int128 __warpfork_s128_from_double(double number) {
  constexpr unsigned __int128 kLowest = static_cast<unsigned __int128>(1) << 127;
  if (number >= 0x1p127) return static_cast<__int128>(kLowest - 1);
  if (!(number > -0x1p127)) return static_cast<__int128>(kLowest);
  const unsigned __int128 magnitude = __warpfork_magnitude(number);
  return static_cast<__int128>(number < 0 ? -magnitude : magnitude);
}
__attribute__((used)) inline __device__ unsigned __int128 __warpfork_u128_from_float(float number) {
  return __warpfork_u128_from_double(number);
}
__attribute__((used)) inline __device__ __int128 __warpfork_s128_from_float(float number) {
  return __warpfork_s128_from_double(number);
}
}

WARPFORK_LINES_OF_FUNCTIONS

#endif
