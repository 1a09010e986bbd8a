// Numbers of eight bits: every code's value by the formats' definition, and of what is converted to them the nearest
// code, by a search over all. The device's results and the host's are compared with both. Prints a line for each
// expectation that does not hold, PASS at the end.
#include <cuda_fp8.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "expect.h"

using Half = unsigned short;

/// OCP 8-bit Floating Point Specification, table 1: beyond `greatest` is infinity, if there is one, then NaN.
struct Format {
  int digits, bias;
  unsigned greatest;
  bool has_infinity;
};
static const Format kFormats[2] = {{3, 7, 0x7E, false}, {2, 15, 0x7B, true}};  // by __nv_fp8_interpretation_t

static double magnitude(unsigned code, const Format& format) {
  const int exponent = code >> format.digits, fraction = code & ((1 << format.digits) - 1);
  if (exponent == 0) return std::ldexp(fraction, 1 - format.bias - format.digits);
  return std::ldexp((1 << format.digits) + fraction, exponent - format.bias - format.digits);
}
static double value(unsigned code, const Format& format) {
  const unsigned unsigned_code = code & 0x7F;
  const bool is_infinite = format.has_infinity && unsigned_code == format.greatest + 1;
  if (unsigned_code > format.greatest && !is_infinite) return NAN;
  const double size = is_infinite ? INFINITY : magnitude(unsigned_code, format);
  return code & 0x80 ? -size : size;
}

/// As if there were one more number; what is nearest to that one is beyond the greatest.
static unsigned nearest(double exact, const Format& format, bool saturates) {
  if (exact != exact) return 0x7F;
  const double size = std::fabs(exact);
  unsigned best = format.greatest + 1;
  if (size < magnitude(best, format))
    for (unsigned code = format.greatest + 1; code-- > 0;) {
      const double closer = std::fabs(size - magnitude(best, format)) - std::fabs(size - magnitude(code, format));
      if (closer > 0 || (closer == 0 && code % 2 == 0)) best = code;
    }
  if (best > format.greatest && saturates) best = format.greatest;
  return std::signbit(exact) ? best | 0x80 : best;
}

/// What one code is, in a format, as every other type.
struct OfCode {
  Half half, pair[2], bfloat16;
  unsigned bits;
  double wide;
  long long integers[11];
};
template <class Number, class Pair>
__host__ __device__ inline void of_code(unsigned code, __nv_fp8_interpretation_t format, OfCode& to) {
  Number number;
  Pair pair;
  number.__x = static_cast<__nv_fp8_storage_t>(code);
  pair.__x = static_cast<__nv_fp8x2_storage_t>(code | (code ^ 0xFF) << 8);
  const float narrow = static_cast<float>(number);
  memcpy(&to.bits, &narrow, sizeof narrow);
  to.half = __nv_cvt_fp8_to_halfraw(number.__x, format).x;
  const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(pair.__x, format);
  const float2 floats = static_cast<float2>(pair);
  const __half2 halves = static_cast<__half2>(pair);
  const bool is_same = __half_as_ushort(static_cast<__half>(number)) == to.half &&
                       __half_as_ushort(halves.x) == raw.x && __half_as_ushort(halves.y) == raw.y &&
                       __half_as_ushort(__float2half(floats.x)) == raw.x &&
                       __half_as_ushort(__float2half(floats.y)) == raw.y;
  to.pair[0] = is_same ? raw.x : 0xABCD;
  to.pair[1] = raw.y;
  to.bfloat16 = __bfloat16_as_ushort(static_cast<__nv_bfloat16>(number));
  to.wide = static_cast<double>(number);
  to.integers[0] = static_cast<bool>(number);
  to.integers[1] = static_cast<char>(number);
  to.integers[2] = static_cast<signed char>(number);
  to.integers[3] = static_cast<unsigned char>(number);
  to.integers[4] = static_cast<short>(number);
  to.integers[5] = static_cast<unsigned short>(number);
  to.integers[6] = static_cast<int>(number);
  to.integers[7] = static_cast<unsigned>(number);
  to.integers[8] = static_cast<long>(number);
  to.integers[9] = static_cast<long long>(number);
  to.integers[10] = static_cast<long long>(static_cast<unsigned long long>(number));
}
__host__ __device__ inline void of_code_in_both(unsigned code, OfCode* to) {
  of_code<__nv_fp8_e4m3, __nv_fp8x2_e4m3>(code, __NV_E4M3, to[0]);
  of_code<__nv_fp8_e5m2, __nv_fp8x2_e5m2>(code, __NV_E5M2, to[1]);
}
__global__ void read_codes(OfCode* to) { of_code_in_both(threadIdx.x, to + 2 * threadIdx.x); }

/// CUDA Math API, "Conversion operator": NaN is zero, but the top bit of 64.
template <class Integer>
static long long clamped(double value) {
  if (value != value) return sizeof(Integer) == 8 ? -0x7FFFFFFFFFFFFFFF - 1 : 0;
  const int bits = 8 * sizeof(Integer);
  const bool is_signed = Integer(-1) < Integer(0);
  const double least = is_signed ? -std::ldexp(1, bits - 1) : 0, end = std::ldexp(1, is_signed ? bits - 1 : bits);
  if (value >= end)
    return bits == 64 && !is_signed ? -1 : static_cast<long long>(std::nextafter(end, 0)) | (bits == 64 ? 0x3FF : 0);
  return static_cast<long long>(std::trunc(std::fmax(value, least)));
}

static Half half_bits(double value) { return __half_as_ushort(__double2half(value)); }

static void check_code(unsigned code, const Format& format, const OfCode& of) {
  const double is = value(code, format);
  const float narrow = static_cast<float>(is);
  unsigned bits;
  memcpy(&bits, &narrow, sizeof bits);
  if (is != is) bits = 0x7FFFFFFF; /* PTX's */
  EXPECT(of.bits == bits && of.bfloat16 == (is != is ? 0x7FFF : bits >> 16));
  EXPECT(of.half == half_bits(is) && of.pair[0] == of.half);
  EXPECT(of.pair[1] == half_bits(value(code ^ 0xFF, format)));
  EXPECT(is != is ? of.wide != of.wide : of.wide == is);
  EXPECT(of.integers[0] == (is != 0) && of.integers[1] == clamped<char>(is));
  EXPECT(of.integers[2] == clamped<signed char>(is) && of.integers[3] == clamped<unsigned char>(is));
  EXPECT(of.integers[4] == clamped<short>(is) && of.integers[5] == clamped<unsigned short>(is));
  EXPECT(of.integers[6] == clamped<int>(is) && of.integers[7] == clamped<unsigned>(is));
  EXPECT(of.integers[8] == clamped<long>(is) && of.integers[9] == clamped<long long>(is));
  EXPECT(of.integers[10] == clamped<unsigned long long>(is));
}

/// What one number becomes: bytes by format and saturation.
struct Bytes {
  unsigned char of[2][2];
};
template <class Convert>
__host__ __device__ inline Bytes in_all(Convert convert) {
  return {{{convert(__NV_NOSAT, __NV_E4M3), convert(__NV_SATFINITE, __NV_E4M3)},
           {convert(__NV_NOSAT, __NV_E5M2), convert(__NV_SATFINITE, __NV_E5M2)}}};
}

struct OfShort {
  Bytes of_half, of_bfloat16;
};
__host__ __device__ inline void of_short(unsigned bits, OfShort& to) {
  const __half_raw half{static_cast<Half>(bits)};
  const __nv_bfloat16_raw bfloat16{static_cast<Half>(bits)};
  to.of_half = in_all([=](__nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_halfraw_to_fp8(half, saturate, format);
  });
  to.of_bfloat16 = in_all([=](__nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_bfloat16raw_to_fp8(bfloat16, saturate, format);
  });
}
__global__ void convert_shorts(OfShort* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  of_short(i, to[i]);
}

/// Of a number, as double and as float, and of what pairs and fours it makes with the three after it.
struct OfDouble {
  Bytes of_double, of_float;
  unsigned fours[2][3], pairs[2][2];
};
template <class Number, class Pair, class Four>
__host__ __device__ inline void of_four(const double* from, unsigned* fours, unsigned* pairs) {
  const float4 floats = make_float4(static_cast<float>(from[0]), static_cast<float>(from[1]),
                                    static_cast<float>(from[2]), static_cast<float>(from[3]));
  const __half2 low = __floats2half2_rn(floats.x, floats.y), high = __floats2half2_rn(floats.z, floats.w);
  const __nv_bfloat162 first = __floats2bfloat162_rn(floats.x, floats.y);
  fours[0] = Four(make_double4(from[0], from[1], from[2], from[3])).__x;
  fours[1] = Four(floats).__x;
  fours[2] = Four(low, high).__x;
  pairs[0] = Pair(low).__x | static_cast<unsigned>(Pair(first).__x) << 16;
  pairs[1] = Pair(make_float2(floats.x, floats.y)).__x | static_cast<unsigned>(Pair(make_double2(from[0], from[1])).__x)
                                                             << 16;
  /* The same numbers one by one. */
  if (Number(from[0]).__x != (fours[0] & 0xFF) || Number(floats.y).__x != (fours[1] >> 8 & 0xFF)) fours[0] = 0xABCDEF;
  if (Number(low.x).__x != (fours[2] & 0xFF) || Number(first.y).__x != pairs[0] >> 24) fours[1] = 0xABCDEF;
}
__host__ __device__ inline void of_double(const double* from, OfDouble& to) {
  const double wide = *from;
  to.of_double = in_all([=](__nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_double_to_fp8(wide, saturate, format);
  });
  to.of_float = in_all([=](__nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(static_cast<float>(wide), saturate, format);
  });
  of_four<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(from, to.fours[0], to.pairs[0]);
  of_four<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(from, to.fours[1], to.pairs[1]);
}
__global__ void convert_doubles(const double* from, OfDouble* to, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) of_double(from + i, to[i]);
}

/// Every number of both formats, every middle of two, and what is next to each as a float, as a double, and so near
/// that a float does not show it; what is too great and too small; some in between.
static std::vector<double> samples() {
  std::vector<double> all{0, 1e-300, 1e-40, 5e-324, 1e5, 1e30, 3.4e38, 3.5e38, 1e300, 1.7e308, INFINITY, NAN, 0x1p-149};
  for (const Format& format : kFormats)
    for (unsigned code = 0; code <= format.greatest + 1; ++code) {
      const double at = magnitude(code, format), middle = (at + magnitude(code + 1, format)) / 2;
      for (const double exact : {at, middle})
        for (const double near :
             {exact, exact * (1 + 0x1p-30), exact * (1 - 0x1p-30), std::nextafter(exact, INFINITY),
              std::nextafter(exact, 0), static_cast<double>(std::nextafter(static_cast<float>(exact), INFINITY)),
              static_cast<double>(std::nextafter(static_cast<float>(exact), 0.0f))})
          all.push_back(near);
    }
  unsigned long long mixed = 1;
  for (int i = 0; i < 2000; ++i) {
    mixed = mixed * 6364136223846793005u + 1442695040888963407u;
    all.push_back(std::ldexp(1 + (mixed >> 11) * 0x1p-53, static_cast<int>(mixed >> 5 & 63) - 30));
  }
  const std::size_t positive = all.size();
  for (std::size_t i = 0; i < positive; ++i) all.push_back(-all[i]);
  return all;
}

static void check_bytes(double exact, const Bytes& bytes) {
  for (int format = 0; format < 2; ++format)
    for (int saturates = 0; saturates < 2; ++saturates)
      EXPECT(bytes.of[format][saturates] == nearest(exact, kFormats[format], saturates != 0));
}
static unsigned four_nearest(const double* exact, const Format& format) {
  unsigned all = 0;
  for (int i = 3; i >= 0; --i) all = all << 8 | nearest(exact[i], format, true);
  return all;
}
static void check_double(const double* from, const OfDouble& of) {
  double as_float[4], as_half[4], as_bfloat16[4];
  for (int i = 0; i < 4; ++i) {
    as_float[i] = static_cast<float>(from[i]);
    as_half[i] = __half2float(__float2half(static_cast<float>(from[i])));
    as_bfloat16[i] = __bfloat162float(__float2bfloat16(static_cast<float>(from[i])));
  }
  check_bytes(from[0], of.of_double);
  check_bytes(as_float[0], of.of_float);
  for (int i = 0; i < 2; ++i) {
    const unsigned doubles = four_nearest(from, kFormats[i]), floats = four_nearest(as_float, kFormats[i]);
    const unsigned halves = four_nearest(as_half, kFormats[i]), bfloat16s = four_nearest(as_bfloat16, kFormats[i]);
    EXPECT(of.fours[i][0] == doubles && of.fours[i][1] == floats && of.fours[i][2] == halves);
    EXPECT(of.pairs[i][0] == ((halves & 0xFFFF) | bfloat16s << 16));
    EXPECT(of.pairs[i][1] == ((floats & 0xFFFF) | doubles << 16));
  }
}

template <class T>
static T* managed(std::size_t count) {
  T* memory = nullptr;
  EXPECT(cudaMallocManaged(&memory, count * sizeof *memory) == cudaSuccess);
  return memory;
}

/// CUDA Math API: constructors of integers saturate, those of bfloat162s and halves take the lower two first.
static void check_others() {
  EXPECT(__nv_fp8_e4m3(-3).__x == 0xC4 && __nv_fp8_e4m3(449u).__x == 0x7E && __nv_fp8_e4m3(-500ll).__x == 0xFE);
  EXPECT(__nv_fp8_e5m2(short(9)).__x == 0x48 && __nv_fp8_e5m2((unsigned short)(11)).__x == 0x4A); /* 8 and 12 */
  EXPECT(__nv_fp8_e5m2(~0ull).__x == 0x7B && __nv_fp8_e5m2(1ul).__x == 0x3C && __nv_fp8_e5m2(-1l).__x == 0xBC);
  const __nv_fp8x4_e4m3 four(__floats2bfloat162_rn(1, 2), __floats2bfloat162_rn(-4, 500));
  const float4 floats = static_cast<float4>(four);
  EXPECT(four.__x == 0x7EC84038 && floats.x == 1 && floats.y == 2 && floats.z == -4 && floats.w == 448);
  const float4 others = static_cast<float4>(__nv_fp8x4_e5m2(make_float4(0.3f, -1, 6e4f, 0)));
  EXPECT(others.x == 0.3125f && others.y == -1 && others.z == 57344 && others.w == 0);
  static_assert(sizeof(__nv_fp8_e4m3) == 1 && sizeof(__nv_fp8x2_e5m2) == 2 && sizeof(__nv_fp8x4_e4m3) == 4, "");
  static_assert(alignof(__nv_fp8x2_e4m3) == 2 && alignof(__nv_fp8x4_e5m2) == 4, "");
}

int main() {
  const std::vector<double> numbers = samples();
  const unsigned count = static_cast<unsigned>(numbers.size()) - 3;
  double* from = managed<double>(numbers.size());
  memcpy(from, numbers.data(), numbers.size() * sizeof *from);
  OfCode* codes = managed<OfCode>(512);
  OfShort* shorts = managed<OfShort>(0x10000);
  OfDouble* doubles = managed<OfDouble>(count);
  read_codes<<<1, 256>>>(codes);
  convert_shorts<<<256, 256>>>(shorts);
  convert_doubles<<<(count + 255) / 256, 256>>>(from, doubles, count);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned code = 0; code < 256 && failures < 20; ++code) {
    OfCode here[2];
    of_code_in_both(code, here);
    for (int i = 0; i < 2; ++i) {
      check_code(code, kFormats[i], codes[2 * code + i]);
      check_code(code, kFormats[i], here[i]);
    }
  }
  for (unsigned i = 0; i < 0x10000 && failures < 20; ++i) {
    OfShort here;
    of_short(i, here);
    EXPECT(memcmp(&here, &shorts[i], sizeof here) == 0);
    check_bytes(__half2float(__ushort_as_half(static_cast<Half>(i))), here.of_half);
    check_bytes(__bfloat162float(__ushort_as_bfloat16(static_cast<Half>(i))), here.of_bfloat16);
  }
  for (unsigned i = 0; i < count && failures < 20; ++i) {
    OfDouble here;
    of_double(&numbers[i], here);
    EXPECT(memcmp(&here, &doubles[i], sizeof here) == 0);
    check_double(&numbers[i], here);
  }
  check_others();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
