// Half-precision numbers: what the device computes is compared, bit by bit, with what the same functions give on the
// host, which computes as float. Prints one line per kind of failure, PASS at the end.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp16.hpp>
#include <vector>

static int failures = 0;

static void expect(bool right, const char* what, unsigned at) {
  if (!right && failures++ < 20) std::printf("%s at %#x\n", what, at);
}

/// Bits of what each function gives for one number.
__host__ __device__ inline void of_one(unsigned short bits, float value, unsigned* results) {
  const __half h = __ushort_as_half(bits);
  const float wide = h;
  memcpy(&results[0], &wide, sizeof wide);
  results[1] = __half_as_ushort(__float2half(value));
  results[2] = __half_as_ushort(__float2half_rz(value)) | __half_as_ushort(__float2half_ru(value)) << 16;
  const double precise = value == value ? value * 1.00000001 : 0;  // devices keep a NaN's payload, hosts do not
  results[3] = __half_as_ushort(__float2half_rd(value)) | __half_as_ushort(__double2half(precise)) << 16;
  results[4] = __half_as_ushort(-h) | __half_as_ushort(__habs(h)) << 16;
  results[5] = __hisnan(h) | __hisinf(h) << 1;
  const bool is_number = !__hisnan(h) && !__hisinf(h);
  results[6] = is_number ? __half2int_rn(h) : 0;
  results[7] = is_number ? __half2int_rd(h) * 3 + __half2int_ru(h) * 5 + __half2ll_rz(h) * 7 : 0;
  results[8] = __half_as_ushort(hsqrt(h)) | __half_as_ushort(hrint(h)) << 16;
}

/// The same of two and three.
__host__ __device__ inline void of_three(__half a, __half b, __half c, unsigned* results) {
  const __half2 p = __halves2half2(a, b), q = __halves2half2(b, c), r = __half2half2(c);
  const auto pair = [](__half2 both) { return __half_as_ushort(both.x) | __half_as_ushort(both.y) << 16; };
  results[0] = __half_as_ushort(a + b) | __half_as_ushort(a - b) << 16;
  results[1] = __half_as_ushort(a * b) | __half_as_ushort(a / b) << 16;
  results[2] = __half_as_ushort(__hfma(a, b, c)) | __half_as_ushort(__hadd_sat(a, b)) << 16;
  results[3] = pair(p + q);
  results[4] = pair(p - q);
  results[5] = pair(p * q);
  results[6] = pair(__hfma2(p, q, r));
  results[7] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
               __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hleu(a, b) << 9 | __hgtu(a, b) << 10 |
               __hgeu(a, b) << 11 | __hne(a, b) << 12 | __hbeq2(p, q) << 13 | __hbltu2(p, q) << 14;
  results[8] = pair(__hlt2(p, q)) ^ pair(__lowhigh2highlow(__lows2half2(p, q)));
  results[9] = pair(__hmax2(p, q)) ^ pair(__hmin2(q, r)) * 3;
  results[10] = pair(__hfma2_relu(p, q, r)) ^ pair(__hmax2_nan(p, q)) * 3 ^ pair(__hmin2_nan(p, q)) * 5;
  results[11] = __hlt2_mask(p, q) ^ __hgeu2_mask(q, r) * 3;
}

constexpr unsigned kOne = 9, kThree = 12, kSamples = 4096;

/// Bits of some number: every kind occurs.
__host__ __device__ inline unsigned short sample(unsigned i) {
  const unsigned short edges[] = {0, 0x8000, 1, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3555};
  const unsigned mixed = i * 2654435761u >> 7;
  return mixed % 5 == 0 ? edges[mixed / 5 % 12] : static_cast<unsigned short>(mixed);
}
/// Halves and what lies between them, ties among it.
__host__ __device__ inline float sample_float(unsigned i) {
  const float near = __ushort_as_half(static_cast<unsigned short>(i));
  unsigned bits;
  memcpy(&bits, &near, sizeof bits);
  bits += (i * 40503u >> 5) % 4 * 0x800 + i % 3 - 1;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

__global__ void ones(unsigned* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  of_one(static_cast<unsigned short>(i), sample_float(i), results + i * kOne);
}
__global__ void threes(unsigned* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  of_three(__ushort_as_half(sample(i)), __ushort_as_half(sample(i + 77777)), __ushort_as_half(sample(i + 555)),
           results + i * kThree);
}
__global__ void together(__half* sum, __half2* sums, float* rotated) {
  atomicAdd(&sum[threadIdx.x % 3], __float2half(1));
  atomicAdd(sums, __floats2half2_rn(1, 2));
  rotated[threadIdx.x] = __shfl_sync(~0u, __float2half(threadIdx.x), (threadIdx.x + 5) % 32);
}

/// Values that follow from the type's range and from CUDA Math API, "Half Precision Intrinsics".
static void by_hand() {
  const auto bits = [](float value) { return __half_as_ushort(__float2half_rz(value)); };
  expect(bits(INFINITY) == 0x7C00 && bits(-INFINITY) == 0xFC00 && bits(1e9f) == 0x7BFF, "__float2half_rz", 0);
  expect(__half_as_ushort(__float2half_ru(-INFINITY)) == 0xFC00, "__float2half_ru", 0);
  expect(__half_as_ushort(__float2half_rd(INFINITY)) == 0x7C00, "__float2half_rd", 0);
  expect(__half_as_ushort(__int2half_rz(65537)) == 0x7BFF, "__int2half_rz", 0);
  expect(__half_as_ushort(__ll2half_ru(2049)) == 0x6801, "__ll2half_ru", 0);           // 2050 = 1.0000000001b * 2^11
  expect(__half_as_ushort(__uint2half_rd(2051)) == 0x6801, "__uint2half_rd", 0);       // the same
  const __half2 product = __hcmadd(__half2(3, 4), __half2(1, -2), __half2(100, 200));  // (3 + 4i) (1 - 2i) = 11 - 2i
  expect(product == __half2(111, 198), "__hcmadd", 0);
  expect(__half2char_rz(-300.0f) == -128 && __half2uchar_rz(2.9f) == 2, "__half2char_rz", 0);
}

template <class Result>
static Result* managed(unsigned count) {
  Result* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof *memory);
  return memory;
}

int main() {
  by_hand();
  unsigned *one = managed<unsigned>(0x10000 * kOne), *three = managed<unsigned>(kSamples * kThree);
  __half* sum = managed<__half>(4);
  __half2* sums = managed<__half2>(1);
  float* rotated = managed<float>(32);
  ones<<<0x10000 / 256, 256>>>(one);
  threes<<<kSamples / 256, 256>>>(three);
  together<<<1, 32>>>(sum, sums, rotated);
  expect(cudaDeviceSynchronize() == cudaSuccess, "launches", 0);
  for (unsigned i = 0; i < 0x10000; ++i) {
    unsigned results[kOne];
    of_one(static_cast<unsigned short>(i), sample_float(i), results);
    for (unsigned k = 0; k < kOne; ++k) expect(one[i * kOne + k] == results[k], "a function of one", k << 16 | i);
  }
  for (unsigned i = 0; i < kSamples; ++i) {
    unsigned results[kThree];
    of_three(__ushort_as_half(sample(i)), __ushort_as_half(sample(i + 77777)), __ushort_as_half(sample(i + 555)),
             results);
    for (unsigned k = 0; k < kThree; ++k)
      expect(three[i * kThree + k] == results[k], "a function of three", k << 16 | i);
  }
  expect(__half2float(sum[0]) == 11 && __half2float(sum[1]) == 11 && __half2float(sum[2]) == 10, "atomicAdd", 0);
  expect(__low2float(*sums) == 32 && __high2float(*sums) == 64, "atomicAdd of a pair", 0);
  for (unsigned i = 0; i < 32; ++i) expect(rotated[i] == (i + 5) % 32, "a shuffle", i);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
