// Laplace's equation on a grid in three dimensions by Jacobi iteration: LPS of the spatio-temporal SIMT paper's Table
// II and of the multi-path paper's Table 1, the Laplace solver among the programs that come with GPGPU-Sim (Bakhoda et
// al. 2009). A block of 32 x 4 threads owns a column of the grid and walks through its planes, three of which it keeps
// in shared memory, with their halo.
//
// As in the original, the planes in shared memory stay where they are: at every step a thread moves its own values, and
// those of the halo's place it looks after, one plane down before it loads the next. The halo has its corners, which
// nobody reads, and indices are products of 24 bits.
//
// Hardly diverges: some threads load the halo, some lie outside of the grid, and those on its faces copy where the
// others compute.
#include <utility>

#include "../common/check.h"

namespace {

constexpr int kWidth = 32, kHeight = 4;
constexpr int kRow = kWidth + 2, kPlane = kRow * (kHeight + 2);  // with a halo of one on each side
constexpr int kHalo = 2 * (kWidth + kHeight + 2);                // places in a plane's halo

// Where an element is, in a row-major array of `row` elements a row.
__device__ inline int at(int x, int y, int row) { return x + __mul24(y, row); }

struct Place {
  int x, y;  // 0, 0 is the block's first point; -1 is the halo
};

// Which place of the halo a thread looks after: the row before the block and the row behind it, then the columns left
// and right, with the corners.
__device__ inline Place halo_place(int tx, int ty, int thread) {
  if (ty < 2) return {tx, ty * (kHeight + 1) - 1};
  return {thread % 2 * (kWidth + 1) - 1, thread / 2 - kWidth - 1};
}

// The grid has `nx` x `ny` x `nz` points; its rows lie `pitch` elements apart.
__global__ void laplace(int nx, int ny, int nz, int pitch, float* from, float* to) {
  __shared__ float planes[3 * kPlane];  // below, here, above
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int thread = tx + ty * kWidth;
  const int block_x = static_cast<int>(blockIdx.x), block_y = static_cast<int>(blockIdx.y);

  bool loads_halo = thread < kHalo;
  int halo = 0, halo_point = 0;
  if (loads_halo) {
    const Place place = halo_place(tx, ty, thread);
    halo = at(place.x + 1, place.y + 1, kRow) + kPlane;
    const int i = at(place.x, block_x, kWidth), j = at(place.y, block_y, kHeight);
    halo_point = at(i, j, pitch);
    loads_halo = i >= 0 && i < nx && j >= 0 && j < ny;
  }

  const int mine = at(tx + 1, ty + 1, kRow) + kPlane;
  const int i = at(tx, block_x, kWidth), j = at(ty, block_y, kHeight);
  int next_point = at(i, j, pitch), point = next_point;
  const bool inside = i < nx && j < ny;

  // The first step moves the plane here down, of which nothing has been loaded: the original moves what it finds.
  if (inside) {
    planes[mine] = 0;
    planes[mine + kPlane] = from[next_point];
  }
  if (loads_halo) {
    planes[halo] = 0;
    planes[halo + kPlane] = from[halo_point];
  }

  for (int k = 0; k < nz; ++k) {
    if (inside) {
      point = next_point;
      next_point = at(next_point, ny, pitch);
      planes[mine - kPlane] = planes[mine];
      planes[mine] = planes[mine + kPlane];
      if (k < nz - 1) planes[mine + kPlane] = from[next_point];
    }
    if (loads_halo) {
      halo_point = at(halo_point, ny, pitch);
      planes[halo - kPlane] = planes[halo];
      planes[halo] = planes[halo + kPlane];
      if (k < nz - 1) planes[halo + kPlane] = from[halo_point];
    }
    __syncthreads();

    if (inside) {
      float value;
      if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1)
        value = planes[mine];  // a face of the grid stays as it is
      else
        value = (planes[mine - 1] + planes[mine + 1] + planes[mine - kRow] + planes[mine + kRow] +
                 planes[mine - kPlane] + planes[mine + kPlane]) *
                (1.0f / 6.0f);
      to[point] = value;
    }
    __syncthreads();
  }
}

struct Grid {
  int nx, ny, nz;
  int at(int i, int j, int k) const { return (k * ny + j) * nx + i; }
};

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
    laplace<<<blocks, block>>>(grid.nx, grid.ny, grid.nz, grid.nx, from, to);
    CUDA_CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CUDA_CHECK(cudaDeviceSynchronize());

  const std::vector<float> got = (iterations % 2 == 0 ? first : second).download();
  workload::expect_equal("values", got, reference(grid, values, iterations));
  return workload::pass();
}
