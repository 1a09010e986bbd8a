// Gaussian elimination of a system of linear equations: GAU of the spatio-temporal SIMT paper's Table II, Rodinia's
// Gaussian. Column by column the device turns the system into a triangular one; the host substitutes back.
//
// The launches never shrink: the further the elimination is, the more threads find nothing to do and leave at once.
#include "../common/check.h"

namespace {

constexpr int kMultipliers = 512;  // threads of a block of fan1
constexpr int kTile = 4;           // fan2's blocks are kTile x kTile threads

// How often row `column` is to be taken from each row below it.
__global__ void fan1(const float* a, float* multiplier, int size, int column) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread >= size - 1 - column) return;
  const int row = column + 1 + thread;
  multiplier[row * size + column] = a[row * size + column] / a[column * size + column];
}

// Takes it from them, one thread for each number; the threads in front also see to the right-hand side.
__global__ void fan2(float* a, float* b, const float* multiplier, int size, int column) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= size - 1 - column) return;
  if (y >= size - column) return;
  const int row = column + 1 + x;
  const float factor = -multiplier[row * size + column];
  float& number = a[row * size + column + y];
  number = fmaf(factor, a[column * size + column + y], number);
  if (y == 0) b[row] = fmaf(factor, b[column], b[row]);
}

struct System {
  int size;
  std::vector<float> a, b;
};

// Every diagonal number outweighs the rest of its row, so that no rows need be exchanged; the solution is 1, 2, 3, 1,
// ...
System make_system(int size) {
  workload::Random random(23);
  System system{size, std::vector<float>(static_cast<std::size_t>(size) * size), std::vector<float>(size)};
  for (int row = 0; row < size; ++row) {
    double sum = 0.0;
    for (int column = 0; column < size; ++column) {
      float& number = system.a[static_cast<std::size_t>(row) * size + column];
      number = 2.0f * random.unit() - 1.0f + (row == column ? static_cast<float>(size) : 0.0f);
      sum += static_cast<double>(number) * (1 + column % 3);
    }
    system.b[row] = static_cast<float>(sum);
  }
  return system;
}

System reference(System system) {
  const int size = system.size;
  for (int column = 0; column < size - 1; ++column) {
    const float* const from = system.a.data() + static_cast<std::size_t>(column) * size;
    for (int row = column + 1; row < size; ++row) {
      float* const to = system.a.data() + static_cast<std::size_t>(row) * size;
      const float factor = -(to[column] / from[column]);
      for (int k = column; k < size; ++k) to[k] = fmaf(factor, from[k], to[k]);
      system.b[row] = fmaf(factor, system.b[column], system.b[row]);
    }
  }
  return system;
}

System eliminate(const System& system) {
  const int size = system.size;
  const workload::DeviceArray<float> a(system.a), b(system.b), multiplier(system.a.size());
  const int tiles = (size + kTile - 1) / kTile;
  for (int column = 0; column < size - 1; ++column) {
    fan1<<<(size + kMultipliers - 1) / kMultipliers, kMultipliers>>>(a.get(), multiplier.get(), size, column);
    fan2<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(a.get(), b.get(), multiplier.get(), size, column);
  }
  CUDA_CHECK(cudaGetLastError());
  return {size, a.download(), b.download()};
}

std::vector<float> substitute_back(const System& triangle) {
  std::vector<float> solution(triangle.b);
  for (int row = triangle.size - 1; row >= 0; --row) {
    const float* const a = triangle.a.data() + static_cast<std::size_t>(row) * triangle.size;
    for (int column = row + 1; column < triangle.size; ++column)
      solution[row] = fmaf(-a[column], solution[column], solution[row]);
    solution[row] /= a[row];
  }
  return solution;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 208;
  workload::Options("gaussian", "Gaussian elimination of a system of linear equations, checked exactly")
      .number("--size", size, 2, 4096, "equations and unknowns")
      .parse(argc, argv);

  const System system = make_system(size);
  const System triangle = eliminate(system), expected = reference(system);
  workload::expect_equal("matrix", triangle.a, expected.a);
  workload::expect_equal("right-hand side", triangle.b, expected.b);

  std::vector<double> known;
  for (int i = 0; i < size; ++i) known.push_back(1 + i % 3);
  workload::expect_near("solution", substitute_back(triangle), known, 1e-4);
  return workload::pass();
}
