// LU decomposition in place, without pivoting: LUD of Rodinia as the papers describe it, blocked by 16 with three
// kernels a step: the diagonal block (16 threads), the blocks right of and below it (32), all others (16 x 16).
//
// In the perimeter kernel the two halves of every warp take the two sides of an if-else, each with loops of its own:
// the interleavable branch for which the multi-path paper studies this program.
#include "../common/check.h"

namespace {

constexpr int kBlock = 16;

// Decomposes the block on the diagonal. One launch of one block; thread t owns a row below, a column right of the
// pivot.
__global__ void diagonal(float* matrix, int size, int offset) {
  __shared__ float block[kBlock][kBlock];
  const int lane = static_cast<int>(threadIdx.x);
  float* const origin = matrix + offset * size + offset;
  for (int row = 0; row < kBlock; ++row) block[row][lane] = origin[row * size + lane];
  __syncthreads();

  for (int pivot = 0; pivot < kBlock - 1; ++pivot) {
    if (lane > pivot) {
      for (int k = 0; k < pivot; ++k) block[lane][pivot] -= block[lane][k] * block[k][pivot];
      block[lane][pivot] /= block[pivot][pivot];
    }
    __syncthreads();
    if (lane > pivot)
      for (int k = 0; k <= pivot; ++k) block[pivot + 1][lane] -= block[pivot + 1][k] * block[k][lane];
    __syncthreads();
  }
  for (int row = 0; row < kBlock; ++row) origin[row * size + lane] = block[row][lane];
}

// Block b solves for the block b + 1 to the right of the diagonal one (lanes 0 to 15, a column each) and for the
// block b + 1 below it (lanes 16 to 31, a row each).
__global__ void perimeter(float* matrix, int size, int offset) {
  __shared__ float pivot[kBlock][kBlock];
  __shared__ float right[kBlock][kBlock];
  __shared__ float below[kBlock][kBlock];
  const int lane = static_cast<int>(threadIdx.x) % kBlock;
  const bool upper = threadIdx.x < kBlock;
  const int away = offset + kBlock * (static_cast<int>(blockIdx.x) + 1);
  float* const right_origin = matrix + offset * size + away;
  float* const below_origin = matrix + away * size + offset;

  if (upper) {
    for (int row = 0; row < kBlock / 2; ++row) pivot[row][lane] = matrix[(offset + row) * size + offset + lane];
    for (int row = 0; row < kBlock; ++row) right[row][lane] = right_origin[row * size + lane];
  } else {
    for (int row = kBlock / 2; row < kBlock; ++row) pivot[row][lane] = matrix[(offset + row) * size + offset + lane];
    for (int row = 0; row < kBlock; ++row) below[row][lane] = below_origin[row * size + lane];
  }
  __syncthreads();

  if (upper) {
    for (int row = 1; row < kBlock; ++row)
      for (int k = 0; k < row; ++k) right[row][lane] -= pivot[row][k] * right[k][lane];
  } else {
    for (int column = 0; column < kBlock; ++column) {
      for (int k = 0; k < column; ++k) below[lane][column] -= below[lane][k] * pivot[k][column];
      below[lane][column] /= pivot[column][column];
    }
  }
  __syncthreads();

  if (upper) {
    for (int row = 1; row < kBlock; ++row) right_origin[row * size + lane] = right[row][lane];
  } else {
    for (int row = 0; row < kBlock; ++row) below_origin[row * size + lane] = below[row][lane];
  }
}

// Takes the product of its row's and its column's perimeter block from every block right of and below both.
__global__ void internal(float* matrix, int size, int offset) {
  __shared__ float left[kBlock][kBlock];
  __shared__ float above[kBlock][kBlock];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int row = offset + kBlock * (static_cast<int>(blockIdx.y) + 1) + ty;
  const int column = offset + kBlock * (static_cast<int>(blockIdx.x) + 1) + tx;
  left[ty][tx] = matrix[row * size + offset + tx];
  above[ty][tx] = matrix[(offset + ty) * size + column];
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < kBlock; ++k) sum += left[ty][k] * above[k][tx];
  matrix[row * size + column] -= sum;
}

std::vector<float> decompose(const std::vector<float>& input, int size) {
  const workload::DeviceArray<float> matrix(input);
  for (int offset = 0; offset < size; offset += kBlock) {
    diagonal<<<1, kBlock>>>(matrix.get(), size, offset);
    const int rest = (size - offset) / kBlock - 1;
    if (rest > 0) {
      perimeter<<<rest, 2 * kBlock>>>(matrix.get(), size, offset);
      internal<<<dim3(rest, rest), dim3(kBlock, kBlock)>>>(matrix.get(), size, offset);
    }
    CUDA_CHECK(cudaGetLastError());
  }
  return matrix.download();
}

// Doolittle's algorithm, unblocked.
std::vector<double> reference(const std::vector<float>& input, int size) {
  std::vector<double> matrix(input.begin(), input.end());
  const auto at = [&](int row, int column) -> double& { return matrix[static_cast<std::size_t>(row) * size + column]; };
  for (int pivot = 0; pivot < size; ++pivot) {
    for (int row = pivot + 1; row < size; ++row) {
      at(row, pivot) /= at(pivot, pivot);
      for (int column = pivot + 1; column < size; ++column) at(row, column) -= at(row, pivot) * at(pivot, column);
    }
  }
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 8;
  workload::Options("lud", "LU decomposition of a dense matrix, checked to 1e-4 of the reference in double precision")
      .number("--size", blocks, 1, 160, "rows and columns of the matrix in blocks of 16")
      .parse(argc, argv);

  // Strictly diagonally dominant, so that no pivoting is needed and rounding errors stay small.
  const int size = blocks * kBlock;
  workload::Random random(5);
  std::vector<float> matrix;
  for (int i = 0; i < size * size; ++i)
    matrix.push_back(i % (size + 1) == 0 ? static_cast<float>(size) : random.unit() - 0.5f);

  workload::expect_near("factors", decompose(matrix, size), reference(matrix, size), 1e-4);
  return workload::pass();
}
