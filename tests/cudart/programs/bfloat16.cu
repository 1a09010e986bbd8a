// Numbers of bfloat16: what the device computes is compared, bit by bit, with the double's arithmetic rounded to eight
// bits. Prints a line for each expectation that does not hold, PASS at the end.
#include <cuda_bf16.h>

#include <cmath>
#include <cstring>
#include <initializer_list>

#include "expect.h"

using Bits = unsigned short;

/// The nearest bfloat16, of two the even one: multiples of 2^-133 and of the number's highest bit / 2^7.
static Bits rounded(double exact) {
  if (exact != exact) return 0x7FFF;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const int unit = exponent - 8 > -133 ? exponent - 8 : -133;
  const float nearest = std::isinf(exact) ? exact : std::ldexp(std::nearbyint(std::ldexp(exact, -unit)), unit);
  unsigned bits;
  memcpy(&bits, &nearest, sizeof bits);
  return bits >> 16;
}

/// Of an integer: eight bits, rounded by the function.
static Bits rounded(long double exact, long double (*round)(long double)) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  const float value = std::ldexp(round(std::ldexp(exact, 8 - exponent)), exponent - 8);
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 16;
}

/// Every kind occurs: zeros, subnormal numbers, infinities and NaN.
static __host__ __device__ Bits sample(unsigned i) {
  const Bits edges[] = {0, 0x8000, 1, 0x7F, 0x80, 0x3F80, 0xBF80, 0x7F7F, 0x7F80, 0xFF80, 0x7FFF, 0x3EAB};
  const unsigned mixed = i * 2654435761u >> 7;
  return mixed % 5 == 0 ? edges[mixed / 5 % 12] : static_cast<Bits>(mixed % 3 == 0 ? 0x3800 + mixed % 0x1000 : mixed);
}
static __host__ __device__ __nv_bfloat16 number(unsigned i) { return __ushort_as_bfloat16(sample(i)); }
static __host__ __device__ unsigned of_pair(__nv_bfloat162 pair) {
  return __bfloat16_as_ushort(__low2bfloat16(pair)) | __bfloat16_as_ushort(__high2bfloat16(pair)) << 16;
}

constexpr unsigned kSamples = 4096, kFused = 6;

struct Results {
  Bits sum, difference, product, quotient, root, greatest, least, fused, negative, of_double, saturated, of_integer;
  Bits towards_zero, downwards, upwards;  // of the integer, too
  unsigned sums, relations;
};

__global__ void compute(Results* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 a = number(i), b = number(i + 777), c = number(i + 5555);
  Results& to = results[i];
  const auto bits = [](__nv_bfloat16 value) { return __bfloat16_as_ushort(value); };
  to.sum = bits(a + b);
  to.difference = bits(a - b);
  to.product = bits(__hmul(a, b));
  to.root = bits(hsqrt(a));
  to.greatest = bits(__hmax(a, b));
  to.least = bits(__hmin(a, b));
  to.fused = bits(__hfma(a, b, c));
  to.negative = bits(-a);
  to.of_double = bits(__double2bfloat16(double(float(a)) * 1.00390625 + 1e-300));
  to.saturated = bits(__hadd_sat(a, b));
  const long long integer = i * 0x123456789ABCDEFull >> i % 64;
  to.of_integer = bits(__ll2bfloat16_rn(i * 0x123456789ABCDEFull));
  to.towards_zero = bits(__ll2bfloat16_rz(integer));
  to.downwards = bits(i % 2 ? __ll2bfloat16_rd(-integer) : __ull2bfloat16_rd(integer));
  to.upwards = bits(i % 2 ? __int2bfloat16_ru(int(integer)) : __uint2bfloat16_ru(unsigned(integer)));
  to.sums = of_pair(__halves2bfloat162(a, b) + __bfloat162bfloat162(c));
  to.relations = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
                 __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hgeu(a, b) << 9 | __hisnan(a) << 10 |
                 (__hisinf(a) & 3) << 11 | __hbeq2(__halves2bfloat162(a, a), __halves2bfloat162(a, b)) << 13;
}

static unsigned relations(float a, float b) {
  const bool of_nan = a != a || b != b;
  return (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
         (of_nan || a == b) << 6 | (a != b) << 7 | (of_nan || a < b) << 8 | (of_nan || a >= b) << 9 | (a != a) << 10 |
         (std::isinf(a) ? a < 0 ? 3 : 1 : 0) << 11 | (a == b) << 13;
}
static double extreme(double a, double b, bool greatest) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) == greatest ? b : a;
  return (a > b) == greatest ? a : b;
}

template <class T>
static T* managed(unsigned count) {
  T* memory = nullptr;
  EXPECT(cudaMallocManaged(&memory, count * sizeof *memory) == cudaSuccess);
  return memory;
}

static void check(unsigned i, const Results& of) {
  const float a = number(i), b = number(i + 777), c = number(i + 5555);
  EXPECT(of.sum == rounded(double(a) + b) && of.difference == rounded(double(a) - b));
  EXPECT(of.product == rounded(double(a) * b));
  EXPECT(of.root == rounded(std::sqrt(double(a))));
  EXPECT(of.greatest == rounded(extreme(a, b, true)) && of.least == rounded(extreme(a, b, false)));
  const double product = double(a) * b, sum = product + c; /* where no bit of it is lost */
  if (sum - product == c && sum - c == product) EXPECT(of.fused == rounded(sum));
  EXPECT(a != a || of.negative == (sample(i) ^ 0x8000));
  EXPECT(of.of_double == rounded(double(a) * 1.00390625 + 1e-300));
  EXPECT(of.saturated == rounded(a + b > 0 ? std::fmin(double(a) + b, 1) : 0));
  EXPECT(of.sums == (rounded(double(a) + c) | rounded(double(b) + c) << 16));
  EXPECT(of.relations == relations(a, b));
  const long long integer = i * 0x123456789ABCDEFull;
  EXPECT(of.of_integer == rounded(integer)); /* none of these lies near the middle of two */
  const long long smaller = i * 0x123456789ABCDEFull >> i % 64;
  EXPECT(of.towards_zero == rounded(smaller, std::trunc));
  EXPECT(of.downwards == (i % 2 ? rounded(-smaller, std::floor) : rounded((unsigned long long)(smaller), std::floor)));
  EXPECT(of.upwards == (i % 2 ? rounded(int(smaller), std::ceil) : rounded(unsigned(smaller), std::ceil)));
}

/// 17/16 * 17/16 and 129/128 * 3/2 lie in the middle of two; the third number is too small for a float's sum to show
/// it.
__constant__ Bits fused[kFused][3] = {{0x3F88, 0x3F88, 0},      {0x3F88, 0x3F88, 0x2180}, {0x3F88, 0x3F88, 0xA180},
                                      {0x3F81, 0x3FC0, 0x8000}, {0x3F81, 0x3FC0, 0x2180}, {0x3F81, 0x3FC0, 0xA180}};
static const Bits kFusedResults[kFused] = {0x3F90, 0x3F91, 0x3F90, 0x3FC2, 0x3FC2, 0x3FC1};

__global__ void others(Bits* sums, Bits* rotated, Bits* directed, __nv_bfloat16* one, __nv_bfloat162* two) {
  const unsigned i = threadIdx.x;
  atomicAdd(&one[i % 3], __float2bfloat16(1));
  atomicAdd(two, __floats2bfloat162_rn(1, 2));
  rotated[i] = __bfloat16_as_ushort(__shfl_sync(~0u, __int2bfloat16_rn(i), (i + 5) % 32));
  const auto operand = [&](int which) { return __ushort_as_bfloat16(fused[i][which]); };
  if (i < kFused) sums[i] = __bfloat16_as_ushort(__hfma(operand(0), operand(1), operand(2)));
  if (i > 0) return;
  const float value = -1.00390625f; /* in the middle of two */
  directed[0] = __bfloat16_as_ushort(__float2bfloat16_rn(value));
  directed[1] = __bfloat16_as_ushort(__float2bfloat16_rz(value));
  directed[2] = __bfloat16_as_ushort(__float2bfloat16_rd(value));
  directed[3] = __bfloat16_as_ushort(__float2bfloat16_ru(value));
  directed[4] = __bfloat162int_rn(__float2bfloat16(2.5f)) + 10 * __bfloat162int_ru(__float2bfloat16(2.5f));
  directed[5] = __bfloat16_as_ushort(hexp(__float2bfloat16(1))); /* 2.71828: 2.71875 is next */
  const long long middle = (1ll << 62) + (1ll << 54);
  directed[6] = __bfloat16_as_ushort(__ll2bfloat16_rn(-middle));
  directed[7] = __bfloat16_as_ushort(__ll2bfloat16_rn(-middle - 1));
  directed[9] = __bfloat16_as_ushort(__double2bfloat16(-1e-300));
  directed[10] = __bfloat16_as_ushort(__double2bfloat16(-1e300));
  directed[8] = __bfloat16_as_ushort(__int2bfloat16_rn(0x01010001)); /* as a float it would lie in the middle */
}

static void check_others() {
  Bits *sums = managed<Bits>(kFused), *rotated = managed<Bits>(32), *directed = managed<Bits>(11);
  __nv_bfloat16* one = managed<__nv_bfloat16>(4);
  __nv_bfloat162* two = managed<__nv_bfloat162>(1);
  memset(static_cast<void*>(one), 0, 8);
  memset(static_cast<void*>(two), 0, 4);
  others<<<1, 32>>>(sums, rotated, directed, one, two);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kFused; ++i) EXPECT(sums[i] == kFusedResults[i]);
  for (unsigned i = 0; i < 32; ++i) EXPECT(rotated[i] == rounded((i + 5) % 32));
  EXPECT(float(one[0]) == 11 && float(one[1]) == 11 && float(one[2]) == 10);
  EXPECT(__low2float(*two) == 32 && __high2float(*two) == 64);
  EXPECT(directed[0] == 0xBF80 && directed[1] == 0xBF80 && directed[2] == 0xBF81 && directed[3] == 0xBF80);
  EXPECT(directed[4] == 32 && directed[5] == 0x402E);
  EXPECT(directed[6] == 0xDE80 && directed[7] == 0xDE81 && directed[8] == 0x4B81);
  EXPECT(directed[9] == 0x8000 && directed[10] == 0xFF80);
}

int main() {
  Results* results = managed<Results>(kSamples);
  compute<<<kSamples / 256, 256>>>(results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kSamples && failures < 20; ++i) check(i, results[i]);
  check_others();
  /* What does not fit is the nearest that does, here as on the device. */
  const __nv_bfloat16 most = __ushort_as_bfloat16(0x7F80), none = __ushort_as_bfloat16(0x7FC0);
  EXPECT(__bfloat162int_rz(most) == 0x7FFFFFFF && __bfloat162uint_rz(-most) == 0 && __bfloat162short_rz(most) == 32767);
  EXPECT(__bfloat162int_rz(none) == 0 && __bfloat162ll_rz(none) == -0x7FFFFFFFFFFFFFFF - 1);
  const __nv_bfloat162 host = __floats2bfloat162_rn(1.5f, -2) * __float2bfloat162_rn(3);
  EXPECT(__low2float(host) == 4.5f && float(host.y) == -6 &&
         __nv_bfloat16(3.14159265358979) == __nv_bfloat16(3.140625f));
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
