/* Functions whose results are exact: remainders, products with powers of two, neighbours, signs (CUDA C++ Programming
   Guide, "Mathematical Functions": an error of 0). libclc's flush subnormal numbers of single precision, lose the last
   digits of large quotients and make numbers of NaN. Part of libdevice.h. */
#pragma once

#define WARPFORK_EXACT __device__ inline __attribute__((always_inline))

template <typename Float>
struct warpfork_format;
template <>
struct warpfork_format<float> {
  using Bits = unsigned;
  static constexpr int kFractionBits = 23;
  static constexpr Bits kSign = 1u << 31;
  static WARPFORK_EXACT Bits bits(float a) { return (Bits)__builtin_bit_cast(int, a); }
  static WARPFORK_EXACT float number(Bits bits) { return __builtin_bit_cast(float, (int)bits); }
};
template <>
struct warpfork_format<double> {
  using Bits = unsigned long long;
  static constexpr int kFractionBits = 52;
  static constexpr Bits kSign = 1ull << 63;
  static WARPFORK_EXACT Bits bits(double a) { return (Bits)__builtin_bit_cast(long long, a); }
  static WARPFORK_EXACT double number(Bits bits) { return __builtin_bit_cast(double, (long long)bits); }
};

/* A finite number without its sign: whole * 2^exponent times the smallest number there is. */
template <typename Float>
struct warpfork_scaled {
  static constexpr int kFractionBits = warpfork_format<Float>::kFractionBits;
  static constexpr unsigned long long kOne = 1ull << kFractionBits;
  unsigned long long whole;
  int exponent;

  WARPFORK_EXACT explicit warpfork_scaled(typename warpfork_format<Float>::Bits magnitude)
      : whole(magnitude & (kOne - 1)), exponent((int)(magnitude >> kFractionBits)) {
    if (exponent == 0) return;
    whole |= kOne;
    --exponent;
  }
  /* The bits of `part` * 2^exponent, which has no more digits than the type. */
  WARPFORK_EXACT typename warpfork_format<Float>::Bits bits_of(unsigned long long part) const {
    if (part == 0) return 0;
    const int room = __builtin_clzll(part) - (63 - kFractionBits), up = room < exponent ? room : exponent;
    return (typename warpfork_format<Float>::Bits)(((unsigned long long)(exponent - up) << kFractionBits) +
                                                   (part << up));
  }
};

/* a - quotient * b; the quotient rounded toward zero or to the nearest even one. Of it the lowest bits are kept. Long
   division, as many digits at a time as a word has room for. */
template <typename Float>
__device__ static __attribute__((noinline)) Float warpfork_remainder(Float a, Float b, bool is_nearest, int* quotient) {
  using Format = warpfork_format<Float>;
  constexpr typename Format::Bits kSign = Format::kSign;
  constexpr int kDigits = 63 - Format::kFractionBits;
  *quotient = 0;
  if (!(__builtin_fabs(a) < __builtin_inf()) || b == 0 || b != b) return (Float)__builtin_nan("");
  typename Format::Bits sign = Format::bits(a) & kSign;
  const warpfork_scaled<Float> dividend(Format::bits(a) & ~kSign);
  warpfork_scaled<Float> divisor(Format::bits(b) & ~kSign);
  int steps = dividend.exponent - divisor.exponent;
  if (steps < -1 || __builtin_fabs(b) == __builtin_inf()) return a; /* below half of b */
  if (steps == -1) {
    divisor.whole *= 2;
    --divisor.exponent;
    steps = 0;
  }
  unsigned long long whole = dividend.whole / divisor.whole, rest = dividend.whole % divisor.whole;
  while (steps > 0) {
    const int digits = steps < kDigits ? steps : kDigits;
    rest <<= digits;
    whole = (whole << digits) + rest / divisor.whole;
    rest %= divisor.whole;
    steps -= digits;
  }
  if (is_nearest && (2 * rest > divisor.whole || (2 * rest == divisor.whole && (whole & 1) != 0))) {
    rest = divisor.whole - rest;
    ++whole;
    sign ^= kSign;
  }
  const int low_bits = (int)(whole & 7); /* as many as CUDA promises */
  *quotient = (a < 0) == (b < 0) ? low_bits : -low_bits;
  return Format::number(sign | divisor.bits_of(rest));
}

/* Up to two factors leave room for the last one, which alone rounds. */
template <typename Float>
WARPFORK_EXACT Float warpfork_scale(Float a, long exponent) {
  using Format = warpfork_format<Float>;
  constexpr int kBias = (1 << (8 * sizeof(Float) - Format::kFractionBits - 2)) - 1;
  constexpr int kDown = kBias - 1 - (Format::kFractionBits + 1); /* what stays normal has digits to spare */
  const auto power = [](int e) { return Format::number((typename Format::Bits)(kBias + e) << Format::kFractionBits); };
  const long limited = exponent > 3 * kBias ? 3 * kBias : exponent < -3 * kBias ? -3 * kBias : exponent;
  int left = (int)limited;
  for (int i = 0; i < 2 && left > kBias; ++i, left -= kBias) a *= power(kBias);
  for (int i = 0; i < 2 && left < 1 - kBias; ++i, left += kDown) a *= power(-kDown);
  return a * power(left > kBias ? kBias : left < 1 - kBias ? 1 - kBias : left);
}

template <typename Float>
WARPFORK_EXACT Float warpfork_next_after(Float a, Float b) {
  using Format = warpfork_format<Float>;
  constexpr typename Format::Bits kSign = Format::kSign;
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  const typename Format::Bits bits = Format::bits(a), magnitude = bits & ~kSign, target = Format::bits(b) & ~kSign;
  if (magnitude == 0) return Format::number((Format::bits(b) & kSign) | 1);
  const bool is_away = ((bits ^ Format::bits(b)) & kSign) == 0 && magnitude < target; /* also with -ftz */
  return Format::number(is_away ? bits + 1 : bits - 1);
}

#define WARPFORK_EXACT_FUNCTIONS(type, suffix)                                                               \
  WARPFORK_NV type __nv_fmod##suffix(type a, type b) {                                                       \
    int quotient;                                                                                            \
    return warpfork_remainder(a, b, false, &quotient);                                                       \
  }                                                                                                          \
  WARPFORK_NV type __nv_remainder##suffix(type a, type b) {                                                  \
    int quotient;                                                                                            \
    return warpfork_remainder(a, b, true, &quotient);                                                        \
  }                                                                                                          \
  WARPFORK_NV type __nv_remquo##suffix(type a, type b, int* q) { return warpfork_remainder(a, b, true, q); } \
  WARPFORK_NV type __nv_ldexp##suffix(type a, int b) { return warpfork_scale(a, b); }                        \
  WARPFORK_NV type __nv_scalbn##suffix(type a, int b) { return warpfork_scale(a, b); }                       \
  WARPFORK_NV type __nv_nextafter##suffix(type a, type b) { return warpfork_next_after(a, b); }              \
  WARPFORK_NV int __nv_ilogb##suffix(type a) { return a != a ? (int)0x80000000 : warpfork_cl_ilogb##suffix(a); }
WARPFORK_EXACT_FUNCTIONS(float, f)
WARPFORK_EXACT_FUNCTIONS(double, )
#undef WARPFORK_EXACT_FUNCTIONS
/* The bits of `a` but for its sign: PTX's `abs` and `neg` may change those of a NaN. Single precision has one NaN. */
WARPFORK_NV double __nv_copysign(double a, double b) {
  using Format = warpfork_format<double>;
  return Format::number((Format::bits(a) & ~Format::kSign) | (Format::bits(b) & Format::kSign));
}
WARPFORK_NV float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
