// Integers of 8 and 16 bits of floating-point numbers that they cannot hold: of the nearest number of 32 bits the low
// ones, as in nvcc's programs, whether it is stored, computed with at once, a literal, or known after inlining.
#include <cuda_fp16.h>

#include <cmath>

#include "expect.h"

// What the PTX ISA says of cvt.rzi.u32 and cvt.rzi.s32: out of range the nearest, of a NaN 0.
static unsigned unsigned_of(double x) {
  if (std::isnan(x) || x < 0) return 0;
  return x >= 4294967296.0 ? 0xFFFFFFFFu : static_cast<unsigned>(x);
}
static unsigned signed_of(double x) {
  if (std::isnan(x)) return 0;
  if (x >= 2147483648.0) return 0x7FFFFFFF;
  return x < -2147483648.0 ? 0x80000000u : static_cast<unsigned>(static_cast<int>(x));
}

struct Results {
  int bytes[3], signed_bytes[3], words[3], signed_words[3];
};

template <typename Integer, typename Number>
__device__ void convert(Number x, int* results) {
  const Integer converted = static_cast<Integer>(x);
  results[0] = converted;
  results[1] = converted >> 4;
  results[2] = converted == static_cast<Integer>(44);
}

template <typename Number>
__device__ void convert_all(Number x, Results* to) {
  convert<unsigned char>(x, to->bytes);
  convert<signed char>(x, to->signed_bytes);
  convert<unsigned short>(x, to->words);
  convert<short>(x, to->signed_words);
}

__global__ void of_floats(const double* from, Results* to) {
  convert_all(static_cast<float>(from[threadIdx.x]), to + threadIdx.x);
}
__global__ void of_doubles(const double* from, Results* to) { convert_all(from[threadIdx.x], to + threadIdx.x); }
// Beside one another, as four bytes of a colour are.
__global__ void of_fours(const double* from, uchar4* to) {
  const float x = static_cast<float>(from[threadIdx.x]);
  to[threadIdx.x] = make_uchar4(x, x + 1.0f, x * 2.0f, -x);
}
__global__ void of_known(Results* to) {
  convert_all(300.0f, to);
  convert_all(-1.0f, to + 1);
  convert_all(-70000.0, to + 2);
}
__global__ void of_literals(int* to) {
  to[0] = (unsigned char)300.0f;
  to[1] = (short)70000.0f;
  to[2] = (unsigned char)-1.0f;
  to[3] = (signed char)1e10;
  to[4] = (unsigned short)-70000.0;
  to[5] = (unsigned char)1e10f;
}
// NVIDIA's keeps these two within the integer's range, and converts the others by their instructions to 16 bits.
__global__ void of_halves(int* to) {
  const __half large = __float2half(300.0f + threadIdx.x), small = __float2half(-300.0f - threadIdx.x);
  to[0] = __half2uchar_rz(large);
  to[1] = __half2char_rz(small);
  to[2] = static_cast<unsigned char>(static_cast<float>(large)) == 44;
  to[3] = static_cast<unsigned char>(static_cast<float>(small));
}

static void expect_results(const Results& results, double x) {
  const unsigned of_unsigned = unsigned_of(x), of_signed = signed_of(x);
  const int expected[] = {static_cast<unsigned char>(of_unsigned), static_cast<signed char>(of_signed),
                          static_cast<unsigned short>(of_unsigned), static_cast<short>(of_signed)};
  const int* const rows[] = {results.bytes, results.signed_bytes, results.words, results.signed_words};
  for (int i = 0; i < 4; ++i) {
    EXPECT(rows[i][0] == expected[i]);
    EXPECT(rows[i][1] == expected[i] >> 4);
    EXPECT(rows[i][2] == (expected[i] == 44));
  }
}

int main() {
  const double values[] = {0,      44,     127.9,  128,    255.9,       256,         300,         -1,
                           -128.9, -129,   -212,   -300,   32767.5,     32768,       65535.5,     65580,
                           70000,  -32769, -70000, 1e9,    2147483647., 2147483648., 4294967040., 4294967296.,
                           1e10,   -1e10,  1e300,  -1e300, INFINITY,    -INFINITY,   NAN,         -0.9};
  constexpr int kValues = sizeof values / sizeof *values;
  double* from;
  Results* to;
  uchar4* fours;
  int* numbers;
  cudaMallocManaged(&from, sizeof values);
  cudaMallocManaged(&to, kValues * sizeof *to);
  cudaMallocManaged(&fours, kValues * sizeof *fours);
  cudaMallocManaged(&numbers, 8 * sizeof *numbers);
  for (int i = 0; i < kValues; ++i) from[i] = values[i];
  of_floats<<<1, kValues>>>(from, to);
  cudaDeviceSynchronize();
  for (int i = 0; i < kValues; ++i) expect_results(to[i], static_cast<float>(values[i]));
  of_doubles<<<1, kValues>>>(from, to);
  of_fours<<<1, kValues>>>(from, fours);
  cudaDeviceSynchronize();
  for (int i = 0; i < kValues; ++i) {
    expect_results(to[i], values[i]);
    const float x = static_cast<float>(values[i]);
    EXPECT(fours[i].x == (unsigned_of(x) & 255) && fours[i].y == (unsigned_of(x + 1.0f) & 255));
    EXPECT(fours[i].z == (unsigned_of(x * 2.0f) & 255) && fours[i].w == (unsigned_of(-x) & 255));
  }
  of_known<<<1, 1>>>(to);
  of_literals<<<1, 1>>>(numbers);
  cudaDeviceSynchronize();
  expect_results(to[0], 300);
  expect_results(to[1], -1);
  expect_results(to[2], -70000);
  EXPECT(numbers[0] == 44 && numbers[1] == 4464 && numbers[2] == 0);
  EXPECT(numbers[3] == -1 && numbers[4] == 0 && numbers[5] == 255);
  of_halves<<<1, 1>>>(numbers);
  cudaDeviceSynchronize();
  EXPECT(numbers[0] == 255 && numbers[1] == -128 && numbers[2] == 1 && numbers[3] == 0);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
