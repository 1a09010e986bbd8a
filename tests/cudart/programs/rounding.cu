// Intrinsics with a rounding mode. Of each row x lies between `near` and, from zero, `away`, and is rounded to `away`
// to the nearest: a middle whose even neighbour that is, or beyond the middle.
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.h"

// clang-format off
#define SIGNED(ROW)                                                                                                    \
  ROW(int2float, (sign * 16777219), 16777218, 16777220)                                                                \
  ROW(ll2float, (sign * ((1ll << 40) + (1 << 17) + (1 << 16) + 1)), 0x1.000002p40, 0x1.000004p40)                        \
  ROW(ll2double, (sign * ((1ll << 53) + 3)), 0x1p53 + 2, 0x1p53 + 4)                                                   \
  ROW(double2float, (sign * (1 + 0x3p-24)), 1 + 0x1p-23, 1 + 0x1p-22)                                                  \
  ROW(float2int, (sign * 2.75f), 2, 3) ROW(float2ll, (sign * 2.75f), 2, 3)                                             \
  ROW(double2int, (sign * 2.75), 2, 3) ROW(double2ll, (sign * 2.75), 2, 3)                                             \
  ROW(fadd, (sign * 1.0f, sign * 0x3p-24f), 1 + 0x1p-23, 1 + 0x1p-22)                                                  \
  ROW(fsub, (sign * 1.0f, -sign * 0x3p-24f), 1 + 0x1p-23, 1 + 0x1p-22)                                                 \
  ROW(fmul, (sign * (1 + 0x1p-23f), 1.5f), 1.5 + 0x1p-23, 1.5 + 0x1p-22)                                               \
  ROW(fmaf, (sign * 1.0f, 1.0f, sign * 0x3p-24f), 1 + 0x1p-23, 1 + 0x1p-22)                                            \
  ROW(fdiv, (sign * 1.0f, 5.0f), 0x1.999998p-3, 0x1.99999ap-3)                                                         \
  ROW(frcp, (sign * 5.0f), 0x1.999998p-3, 0x1.99999ap-3)                                                               \
  ROW(dadd, (sign * 1.0, sign * 0x3p-53), 1 + 0x1p-52, 1 + 0x1p-51)                                                    \
  ROW(dsub, (sign * 1.0, -sign * 0x3p-53), 1 + 0x1p-52, 1 + 0x1p-51)                                                   \
  ROW(dmul, (sign * (1 + 0x1p-52), 1.5), 1.5 + 0x1p-52, 1.5 + 0x1p-51)                                                 \
  ROW(fma, (sign * 1.0, 1.0, sign * 0x3p-53), 1 + 0x1p-52, 1 + 0x1p-51)                                                \
  ROW(ddiv, (sign * 1.0, 5.0), 0x1.9999999999999p-3, 0x1.999999999999ap-3)                                             \
  ROW(drcp, (sign * 5.0), 0x1.9999999999999p-3, 0x1.999999999999ap-3)
// For positive numbers alone; the roots of 5 are 0x1.1e3779b97f4a7c15…p+1.
#define UNSIGNED(ROW)                                                                                                  \
  ROW(uint2float, (sign * 4294967240u), 0x1.fffffep31, 0x1p32)                                                         \
  ROW(ull2float, (sign * ((1ull << 63) + (1ull << 40) - 1)), 0x1p63, 0x1.000002p63)                                    \
  ROW(ull2double, (sign * ((1ull << 63) + 2047)), 0x1p63, 0x1.0000000000001p63)                                        \
  ROW(float2uint, (sign * 2.75f), 2, 3) ROW(float2ull, (sign * 2.75f), 2, 3)                                           \
  ROW(double2uint, (sign * 2.75), 2, 3) ROW(double2ull, (sign * 2.75), 2, 3)                                           \
  ROW(fsqrt, (sign * 5.0f), 0x1.1e3778p+1, 0x1.1e377ap+1)                                                              \
  ROW(dsqrt, (sign * 5.0), 0x1.1e3779b97f4a7p+1, 0x1.1e3779b97f4a8p+1)
// clang-format on

#define KERNEL(name, x, near, away)                 \
  __global__ void name(int sign, double* results) { \
    results[0] = double(__##name##_rn x);           \
    results[1] = double(__##name##_rz x);           \
    results[2] = double(__##name##_ru x);           \
    results[3] = double(__##name##_rd x);           \
  }
namespace kernels {
SIGNED(KERNEL)
UNSIGNED(KERNEL)
}  // namespace kernels

static void check(const char* name, void (*kernel)(int, double*), int sign, double near, double away) {
  static double* results = nullptr;
  if (results == nullptr) cudaMallocManaged(&results, 4 * sizeof *results);
  kernel<<<1, 1>>>(sign, results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  constexpr const char* kModes[4] = {"rn", "rz", "ru", "rd"};
  const bool up_is_away = sign > 0;
  const double expected[4] = {away, near, up_is_away ? away : near, up_is_away ? near : away};
  for (int mode = 0; mode < 4; ++mode)
    if (results[mode] != sign * expected[mode])
      std::printf("%s_%s: %a\n", name, kModes[mode], results[mode]), ++failures;
}

/// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is a middle, and without its last bit as a float.
__global__ void products(float a, float b, double c, float* out) {
  out[0] = __fadd_rn(__fmul_rn(a, a), b);
  out[1] = __fsub_rn(__fmul_rn(a, a), -b);
  out[2] = float(__dadd_rn(__dmul_rn(c, c), -1 - 0x1p-26));
  out[3] = fdimf(a * a, -b);
}

static void nothing_is_fused() {
  float* out = nullptr;
  cudaMallocManaged(&out, 4 * sizeof *out);
  products<<<1, 1>>>(1 + 0x1p-12f, -1 - 0x1p-11f, 1 + 0x1p-27, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 4; ++i) EXPECT(out[i] == 0);
}

/// 1/sqrt(1 + 2^-23) is 1 - 2^-24 + 1.5 * 2^-48, of which the root and then its reciprocal make 1 if both are rounded.
__global__ void root_and_bytes(float x, unsigned selector, float* out, unsigned* bytes) {
  *out = __frsqrt_rn(x);
  *bytes = __byte_perm(0x33221180u, 0x77665544u, selector);
}

static void reciprocal_root_and_bytes() {
  float* out = nullptr;
  unsigned* bytes = nullptr;
  cudaMallocManaged(&out, sizeof *out);
  cudaMallocManaged(&bytes, sizeof *bytes);
  root_and_bytes<<<1, 1>>>(1 + 0x1p-23f, 0xc988u, out, bytes);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(*out == 1 - 0x1p-24f);
  EXPECT(*bytes == 0x44118080u);  // the selectors' lower three bits: 4, 1, 0, 0
}

int main() {
#define CHECK_POSITIVE(name, x, near, away) check(#name, kernels::name, 1, near, away);
#define CHECK_NEGATIVE(name, x, near, away) check(#name, kernels::name, -1, near, away);
  SIGNED(CHECK_POSITIVE)
  SIGNED(CHECK_NEGATIVE)
  UNSIGNED(CHECK_POSITIVE)
  nothing_is_fused();
  reciprocal_root_and_bytes();
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
