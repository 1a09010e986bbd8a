// Coulomb potential of point charges on one plane of a grid: CP of the spatio-temporal SIMT paper's Table II, among the
// programs of Bakhoda et al. 2009 after direct Coulomb summation in VMD (Stone et al. 2007, "Accelerating molecular
// modeling applications with graphics processors").
//
// The charges lie in constant memory, all lanes read the same one. A thread has several points, so that what an atom
// costs but once is shared by them. Diverges only where the plane is no multiple of a block's points.
#include "../common/check.h"

constexpr int kMaximumAtoms = 4000;  // 62.5 KiB of 64

struct Atom {
  float x, y;
  float height_squared;  // of the atom over the plane
  float charge;
};

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ Atom device_atoms[kMaximumAtoms];

namespace {

constexpr int kWidth = 16, kHeight = 8;  // threads of a block
constexpr int kPoints = 8;               // of a thread, a block's width apart
constexpr float kSpacing = 0.1f;         // of the grid, in Ångström

__host__ __device__ inline float coordinate(int index) { return kSpacing * static_cast<float>(index); }

__global__ void coulomb(float* potential, int size, int atoms) {
  const int left = static_cast<int>(blockIdx.x) * kWidth * kPoints + static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const float y = coordinate(row);
  float sums[kPoints] = {};
  for (int i = 0; i < atoms; ++i) {
    const Atom atom = device_atoms[i];
    const float dy = y - atom.y;
    const float across = fmaf(dy, dy, atom.height_squared);  // the same for all points of the thread
#pragma unroll
    for (int point = 0; point < kPoints; ++point) {
      const float dx = coordinate(left + point * kWidth) - atom.x;
      sums[point] = fmaf(atom.charge, rsqrtf(fmaf(dx, dx, across)), sums[point]);
    }
  }
#pragma unroll
  for (int point = 0; point < kPoints; ++point) {
    const int column = left + point * kWidth;
    if (row < size && column < size) potential[row * size + column] = sums[point];
  }
}

// Anywhere below the plane, but not so near that one of them outweighs all others.
std::vector<Atom> make_atoms(int count, int size) {
  workload::Random random(13);
  std::vector<Atom> atoms;
  for (int i = 0; i < count; ++i) {
    const float x = coordinate(size) * random.unit(), y = coordinate(size) * random.unit();
    const float height = 0.5f + 10.0f * random.unit();
    atoms.push_back({x, y, height * height, 2.0f * random.unit() - 1.0f});
  }
  return atoms;
}

std::vector<float> device_potential(const std::vector<Atom>& atoms, int size) {
  CUDA_CHECK(cudaMemcpyToSymbol(device_atoms, atoms.data(), atoms.size() * sizeof(Atom)));
  const workload::DeviceArray<float> potential(static_cast<std::size_t>(size) * size);
  const dim3 block(kWidth, kHeight);
  const dim3 grid((size + kWidth * kPoints - 1) / (kWidth * kPoints), (size + kHeight - 1) / kHeight);
  coulomb<<<grid, block>>>(potential.get(), size, static_cast<int>(atoms.size()));
  CUDA_CHECK(cudaGetLastError());
  return potential.download();
}

// Fails unless every point is as near to the sum in double precision as rounding can leave it. In units of 2^-24, a
// squared distance is off by at most 4 (a difference, which counts twice, and one for each fmaf), its root by 2, rsqrt
// by 2.2 more (2^-22.9 as the PTX ISA states): under 5 for each term. Each addition is off by at most one unit of the
// sum so far, which the absolute terms bound.
void check(const std::vector<float>& potential, const std::vector<Atom>& atoms, int size) {
  const double bound = (static_cast<double>(atoms.size()) + 5.0) / (1 << 24);
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      double sum = 0.0, absolute = 0.0;
      for (const Atom& atom : atoms) {
        const double dx = static_cast<double>(coordinate(column)) - atom.x;
        const double dy = static_cast<double>(coordinate(row)) - atom.y;
        const double term = atom.charge / std::sqrt(dx * dx + dy * dy + atom.height_squared);
        sum += term;
        absolute += std::fabs(term);
      }
      const double got = potential[row * size + column];
      if (!(std::fabs(got - sum) <= bound * absolute))
        workload::fail("potential in row %d, column %d: got %.9g, expected %.9g within %.2g", row, column, got, sum,
                       bound * absolute);
    }
}

}  // namespace

int main(int argc, char** argv) {
  int size = 512, atom_count = 100;
  workload::Options("cp", "Coulomb potential of charges on a plane, checked to the rounding of the sum")
      .number("--size", size, 1, 8192, "points of the plane per dimension")
      .number("--atoms", atom_count, 1, kMaximumAtoms, "charges")
      .parse(argc, argv);

  const std::vector<Atom> atoms = make_atoms(atom_count, size);
  check(device_potential(atoms, size), atoms, size);
  return workload::pass();
}
