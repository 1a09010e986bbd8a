// Products of matrices by the warp (CUDA C++ Programming Guide, "Warp Matrix Functions"), and the instructions below
// them. Elements are small whole numbers, so that all sums are exact.
#include <mma.h>

#include "expect.h"

using namespace nvcuda;

constexpr int kStride = 40;

template <typename T>
__global__ void fill(T* matrix, int factor) {
  for (int i = threadIdx.x; i < 32 * kStride; i += blockDim.x) matrix[i] = T(float(i * factor % 7 - 3));
}

template <int M, int N, int K, typename T, typename Sum, typename A, typename B, wmma::layout_t kLayout>
__global__ void multiply(const typename wmma::fragment<wmma::matrix_a, M, N, K, T, A>::storage_element_type* a,
                         const typename wmma::fragment<wmma::matrix_b, M, N, K, T, B>::storage_element_type* b,
                         const Sum* c, Sum* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, A> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, B> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, twos;
  wmma::load_matrix_sync(left, a, kStride);
  wmma::load_matrix_sync(right, b, kStride);
  wmma::load_matrix_sync(sum, c, kStride, kLayout);
  wmma::fill_fragment(twos, Sum(2.0F));
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * twos.x[i];
  wmma::store_matrix_sync(d, sum, kStride, kLayout);
}

template <int M, int N, int K, typename T, typename Sum, typename A, typename B, wmma::layout_t kLayout>
void check() {
  using Element = typename wmma::fragment<wmma::matrix_a, M, N, K, T, A>::storage_element_type;
  Element *a, *b;
  Sum *c, *d;
  cudaMallocManaged(&a, 32 * kStride * sizeof *a);
  cudaMallocManaged(&b, 32 * kStride * sizeof *b);
  cudaMallocManaged(&c, 32 * kStride * sizeof *c);
  cudaMallocManaged(&d, 32 * kStride * sizeof *d);
  fill<<<1, 64>>>(a, 5);
  fill<<<1, 64>>>(b, 3);
  fill<<<1, 64>>>(c, 2);
  multiply<M, N, K, T, Sum, A, B, kLayout><<<1, 32>>>(a, b, c, d);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  constexpr bool a_by_row = __is_same(A, wmma::row_major), b_by_row = __is_same(B, wmma::row_major);
  int wrong = 0;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      const int at = kLayout == wmma::mem_row_major ? m * kStride + n : n * kStride + m;
      float sum = float(c[at]);
      for (int k = 0; k < K; ++k)
        sum += float(a[a_by_row ? m * kStride + k : k * kStride + m]) *
               float(b[b_by_row ? k * kStride + n : n * kStride + k]);
      wrong += float(d[at]) != 2 * sum;
    }
  EXPECT(wrong == 0);
}

template <int M, int N, int K, typename T, typename Sum>
void check_layouts() {
  check<M, N, K, T, Sum, wmma::row_major, wmma::row_major, wmma::mem_row_major>();
  check<M, N, K, T, Sum, wmma::row_major, wmma::col_major, wmma::mem_col_major>();
  check<M, N, K, T, Sum, wmma::col_major, wmma::row_major, wmma::mem_row_major>();
  check<M, N, K, T, Sum, wmma::col_major, wmma::col_major, wmma::mem_col_major>();
}

// Rows of 16 halves in shared memory by ldmatrix, times the transposed matrix, by mma: what ordinary loops say.
__global__ void by_instructions(const __half* matrix, float* sums) {
  alignas(16) __shared__ __half rows[16 * 16];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) rows[i] = matrix[i];
  __syncwarp();
  unsigned a[4], b[2];
  float d[4] = {1, 1, 1, 1};
  const unsigned at = __cvta_generic_to_shared(rows + lane % 16 * 16 + lane / 16 * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(at));
  const unsigned column = __cvta_generic_to_shared(rows + lane % 8 * 16 + lane / 8 % 2 * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(column));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (unsigned i = 0; i < 4; ++i) sums[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

void check_instructions() {
  __half* matrix;
  float* sums;
  cudaMallocManaged(&matrix, 32 * kStride * sizeof *matrix);
  cudaMallocManaged(&sums, 16 * 8 * sizeof *sums);
  fill<<<1, 64>>>(matrix, 4);
  by_instructions<<<1, 32>>>(matrix, sums);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int wrong = 0;
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      float sum = 1;
      for (int k = 0; k < 16; ++k) sum += float(matrix[m * 16 + k]) * float(matrix[n * 16 + k]);
      wrong += sums[m * 8 + n] != sum;
    }
  EXPECT(wrong == 0);
}

int main() {
  check_layouts<16, 16, 16, __half, float>();
  check_layouts<32, 8, 16, __half, float>();
  check_layouts<8, 32, 16, __half, __half>();
  check_layouts<16, 16, 16, signed char, int>();
  check_layouts<16, 16, 16, __nv_bfloat16, float>();
  check_layouts<8, 32, 16, __nv_bfloat16, float>();
  check_layouts<16, 16, 8, wmma::precision::tf32, float>();
  check_layouts<8, 8, 4, double, double>();
  check_instructions();
  if (failures == 0) std::printf("PASS\n");
  return failures != 0;
}
