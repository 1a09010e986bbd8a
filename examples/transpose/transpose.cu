// A matrix transposed in three ways, two of them slow: warpfork cc transpose.cu -o transpose && warpfork run --lines
// ./transpose
#include <cstdio>
#include <vector>

constexpr int kSide = 512, kTile = 32, kRows = 8;

__global__ void naive(const float* in, float* out) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows) out[x * kSide + y + row] = in[(y + row) * kSide + x];
}

template <int kPadding>
__device__ void by_tile(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + kPadding];
  const int x = threadIdx.x, y = threadIdx.y;
  const float* from = in + blockIdx.y * kTile * kSide + blockIdx.x * kTile;
  float* to = out + blockIdx.x * kTile * kSide + blockIdx.y * kTile;
  for (int row = y; row < kTile; row += kRows) tile[row][x] = from[row * kSide + x];
  __syncthreads();
  for (int row = y; row < kTile; row += kRows) to[row * kSide + x] = tile[x][row];
}

__global__ void conflicts(const float* in, float* out) { by_tile<0>(in, out); }
__global__ void padded(const float* in, float* out) { by_tile<1>(in, out); }

int main() {
  const std::size_t bytes = sizeof(float) * kSide * kSide;
  std::vector<float> matrix(kSide * kSide), result(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) matrix[i] = i;
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, matrix.data(), bytes, cudaMemcpyHostToDevice);
  for (auto* kernel : {naive, conflicts, padded}) {
    cudaMemset(out, 0, bytes);
    kernel<<<dim3(kSide / kTile, kSide / kTile), dim3(kTile, kRows)>>>(in, out);
    cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kSide * kSide; ++i)
      if (result[i] != matrix[i % kSide * kSide + i / kSide]) return std::puts("FAIL"), 1;
  }
  std::puts("PASS");
}
