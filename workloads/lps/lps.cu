// Laplace's equation on a grid in three dimensions by Jacobi iteration: LPS of the multi-path paper's Table 1, the
// Laplace solver among the programs that come with GPGPU-Sim (Bakhoda et al. 2009). A block of 32 x 4 threads owns a
// column of the grid and walks through its planes, three of which it keeps in shared memory, with their halo.
//
// Hardly diverges: some threads load the halo, some lie outside of the grid, and those on its faces copy where the
// others compute.
#include <utility>

#include "../common/check.h"

namespace {

constexpr int kWidth = 32, kHeight = 4;
constexpr int kRow = kWidth + 2, kPlane = kRow * (kHeight + 2);  // with a halo of one on each side
constexpr int kHalo = 2 * (kWidth + kHeight);                    // places in a plane's halo, corners apart

struct Grid {
  int nx, ny, nz;
  __host__ __device__ int at(int i, int j, int k) const { return (k * ny + j) * nx + i; }
};

// Where in a plane of shared memory the halo's n-th place lies: the row before the block, the row behind it, then the
// columns left and right.
struct Place {
  int x, y;  // 0 is the halo
};

__device__ inline Place halo_place(int n) {
  if (n < kWidth) return {n + 1, 0};
  if (n < 2 * kWidth) return {n - kWidth + 1, kHeight + 1};
  const int side = n - 2 * kWidth;
  return {side % 2 * (kWidth + 1), side / 2 + 1};
}

__global__ void laplace(Grid grid, const float* __restrict__ from, float* __restrict__ to) {
  __shared__ float planes[3 * kPlane];  // below, here, above; they change places as the block moves up
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x) * kWidth - 1, front = static_cast<int>(blockIdx.y) * kHeight - 1;
  const int i = left + 1 + tx, j = front + 1 + ty;
  const bool inside = i < grid.nx && j < grid.ny;
  const int mine = (ty + 1) * kRow + tx + 1;

  const int thread = ty * kWidth + tx;
  const Place place = halo_place(thread);
  const int halo_i = left + place.x, halo_j = front + place.y;
  const bool loads_halo = thread < kHalo && halo_i >= 0 && halo_i < grid.nx && halo_j >= 0 && halo_j < grid.ny;
  const int halo = place.y * kRow + place.x;

  float *below = planes, *here = planes + kPlane, *above = planes + 2 * kPlane;
  if (inside) above[mine] = from[grid.at(i, j, 0)];
  if (loads_halo) above[halo] = from[grid.at(halo_i, halo_j, 0)];

  for (int k = 0; k < grid.nz; ++k) {
    float* const oldest = below;
    below = here;
    here = above;
    above = oldest;
    __syncthreads();  // all have read the oldest plane
    if (k < grid.nz - 1) {
      if (inside) above[mine] = from[grid.at(i, j, k + 1)];
      if (loads_halo) above[halo] = from[grid.at(halo_i, halo_j, k + 1)];
    }
    __syncthreads();

    if (inside) {
      float value;
      if (i == 0 || i == grid.nx - 1 || j == 0 || j == grid.ny - 1 || k == 0 || k == grid.nz - 1)
        value = here[mine];  // a face of the grid stays as it is
      else
        value = (here[mine - 1] + here[mine + 1] + here[mine - kRow] + here[mine + kRow] + below[mine] + above[mine]) *
                (1.0f / 6.0f);
      to[grid.at(i, j, k)] = value;
    }
  }
}

std::vector<float> reference(Grid grid, std::vector<float> from, int iterations) {
  std::vector<float> to = from;  // its faces stay
  const int row = grid.nx, plane = grid.nx * grid.ny;
  for (int n = 0; n < iterations; ++n) {
    for (int k = 1; k < grid.nz - 1; ++k)
      for (int j = 1; j < grid.ny - 1; ++j)
        for (int i = 1; i < grid.nx - 1; ++i) {
          const float* const p = from.data() + grid.at(i, j, k);
          to[grid.at(i, j, k)] = (p[-1] + p[1] + p[-row] + p[row] + p[-plane] + p[plane]) * (1.0f / 6.0f);
        }
    std::swap(from, to);
  }
  return from;
}

// Zero, but for a hot face at k = 0 and some noise inside, so that a value from a wrong place is seen.
std::vector<float> initial(Grid grid) {
  workload::Random random(5);
  std::vector<float> values;
  for (int k = 0; k < grid.nz; ++k)
    for (int n = 0; n < grid.nx * grid.ny; ++n) values.push_back(k == 0 ? 1.0f : 0.1f * random.unit());
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 100, planes = 10, iterations = 1;
  workload::Options("lps", "Laplace's equation in three dimensions by Jacobi iteration, checked exactly")
      .number("--size", size, 3, 1000, "points of the grid in x and in y")
      .number("--planes", planes, 3, 1000, "points of the grid in z")
      .number("--iterations", iterations, 1, 1000, "Jacobi iterations, one launch each")
      .parse(argc, argv);

  const Grid grid{size, size, planes};
  const std::vector<float> values = initial(grid);
  const workload::DeviceArray<float> first(values), second(values.size());
  float *from = first.get(), *to = second.get();
  const dim3 block(kWidth, kHeight), blocks((size + kWidth - 1) / kWidth, (size + kHeight - 1) / kHeight);
  for (int n = 0; n < iterations; ++n) {
    laplace<<<blocks, block>>>(grid, from, to);
    CUDA_CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CUDA_CHECK(cudaDeviceSynchronize());

  const std::vector<float> got = (iterations % 2 == 0 ? first : second).download();
  workload::expect_equal("values", got, reference(grid, values, iterations));
  return workload::pass();
}
