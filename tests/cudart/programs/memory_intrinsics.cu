// Loads and stores with cache operators, dot products and 16-bit compare-and-swap.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "expect.h"

template <typename T>
__global__ void copy(T* p) {
  __stcg(p + 5, __ldca(p));
  __stcs(p + 6, __ldcg(p + 1));
  __stwt(p + 7, __ldcs(p + 2));
  __stwb(p + 8, __ldlu(p + 3));
  __stcg(p + 9, __ldcv(p + 4));
}

template <typename T>
void copies() {
  T* p = nullptr;
  cudaMallocManaged(&p, 10 * sizeof *p);
  for (std::size_t i = 0; i < 5 * sizeof *p; ++i) ((unsigned char*)p)[i] = (unsigned char)(i * 37 + 129);
  copy<<<1, 1>>>(p);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(std::memcmp(p, p + 5, 5 * sizeof *p) == 0);
  cudaFree(p);
}

template <typename... Types>
void copies_of() {
  (copies<Types>(), ...);
}

/// Twice as many threads as fit into 16 bits would be needed to lose a count.
__global__ void count(unsigned short* counter) {
  for (unsigned short seen = *counter, old;; seen = old)
    if ((old = atomicCAS(counter, seen, (unsigned short)(seen + 3))) == seen) break;
}

__global__ void products(int* out) {
  out[0] = __dp4a(0x01ff0203, 0x04050607, 10);                           // 4 - 5 + 12 + 21 + 10
  out[1] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 1);  // 5 - 12 + 21 - 32 + 1
  out[2] = __dp2a_lo(0x0002ffff, 0x04050607, 100);                       // -7 + 2 * 6 + 100
  out[3] = __dp2a_hi(0x0002ffff, 0x04050607, 100);                       // -5 + 2 * 4 + 100
  out[4] = int(__dp2a_lo(0x0002ffffu, 0x0405ff07u, 0u));                 // 65535 * 7 + 2 * 255
  out[5] = __dp2a_hi(make_short2(300, -1), make_char4(9, 9, -2, 3), 0);  // -600 - 3
}

/// Whatever the scope, numbers without a sign: the top bit makes a number larger.
template <class T>
__global__ void extremes(T* out, T large) {
  for (int i = 0; i < 6; ++i) out[i] = large + 5;
  atomicMin(out, T(3));
  atomicMin_block(out + 1, T(3));
  atomicMin_system(out + 2, T(3));
  out[6] = atomicMax(out + 3, large + 7) + atomicMax_block(out + 4, T(7)) + atomicMax_system(out + 5, large + 7);
}

template <class T>
static void extremes_have_no_sign() {
  const T large = T(1) << (8 * sizeof(T) - 1);
  T* out = nullptr;
  cudaMallocManaged(&out, 7 * sizeof *out);
  extremes<<<1, 1>>>(out, large);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const T expected[7] = {3, 3, 3, large + 7, large + 5, large + 7, 3 * (large + 5)};
  for (int i = 0; i < 7; ++i) EXPECT(out[i] == expected[i]);
}

/// Of pairs -1 and 2, 32767 and -5; sums wrap around.
__host__ __device__ inline void packed(unsigned* out) {
  const unsigned a = 0xffff0002, b = 0x7ffffffb;
  bool high = false, low = false;
  out[0] = __vimax3_s16x2(a, b, 0x00010003);
  out[1] = __vimin3_u16x2(a, b, 0x80000001);
  out[2] = __viaddmax_s16x2_relu(a, b, 0xfffffff0);  // 32766; -3, -16
  out[3] = __viaddmin_s32(2147483647, 1, 5);
  out[4] = __viaddmax_u32(~0u, 3, 1);
  out[5] = __vimin_s16x2_relu(a, b);
  out[6] = __vibmax_s16x2(a, b, &high, &low);
  out[7] = high | low << 1;
}
__global__ void packed_on_device(unsigned* out) { packed(out); }

static void packed_extremes() {
  unsigned *out = nullptr, host[8];
  cudaMallocManaged(&out, sizeof host);
  packed_on_device<<<1, 1>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  packed(host);
  const unsigned expected[8] = {0x7fff0003, 0x7fff0001, 0x7ffe0000, 0x80000000, 2, 0, 0x7fff0002, 2};
  for (int i = 0; i < 8; ++i) EXPECT(out[i] == expected[i] && host[i] == expected[i]);
}

/// CUDA Math API, "Integer Intrinsics": the bytes from the last to the first.
__host__ __device__ inline void reversed(unsigned long long* out) {
  out[0] = __nv_bswap16(0x8102);
  out[1] = __nv_bswap32(0x81020304);
  out[2] = __nv_bswap64(0x8102030405060708);
}
__global__ void reversed_on_device(const __grid_constant__ int number, unsigned long long* out) {
  reversed(out);
  out[3] = __isGridConstant(&number) + number;
  __prof_trigger(7);
}

static void reversed_bytes() {
  unsigned long long *out = nullptr, host[3];
  cudaMallocManaged(&out, 4 * sizeof *out);
  reversed_on_device<<<1, 1>>>(5, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && out[3] == 5);  // a copy: no grid constant
  reversed(host);
  const unsigned long long expected[3] = {0x0281, 0x04030281, 0x0807060504030281};
  for (int i = 0; i < 3; ++i) EXPECT(out[i] == expected[i] && host[i] == expected[i]);
}

int main() {
  reversed_bytes();
  packed_extremes();
  extremes_have_no_sign<unsigned>();
  extremes_have_no_sign<unsigned long long>();
  copies_of<char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
            unsigned long long, float, double>();
  copies_of<char2, uchar2, short2, ushort2, int2, uint2, longlong2, ulonglong2, float2, double2>();
  copies_of<__half, __half2, __nv_bfloat16, __nv_bfloat162>();
  copies_of<char4, uchar4, short4, ushort4, int4, uint4, float4>();
  unsigned short* counter = nullptr;
  cudaMallocManaged(&counter, 4);
  counter[0] = counter[1] = 7;
  count<<<2, 64>>>(counter);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && counter[0] == 7 + 3 * 128 && counter[1] == 7);
  int* out = nullptr;
  cudaMallocManaged(&out, 6 * sizeof *out);
  products<<<1, 1>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const int expected[6] = {42, -17, 105, 103, 459255, -603};
  for (int i = 0; i < 6; ++i) EXPECT(out[i] == expected[i]);
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
