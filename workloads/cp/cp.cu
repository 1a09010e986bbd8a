// Coulomb potential of point charges on one plane of a grid: CP of the spatio-temporal SIMT paper's Table II, among the
// programs of Bakhoda et al. 2009 after direct Coulomb summation in VMD (Stone et al. 2007, "Accelerating molecular
// modeling applications with graphics processors").
//
// The charges lie in constant memory, all lanes read the same one. A thread has several points, so that what an atom
// costs but once is shared by them. As in the original, it gets from one point to the next by adding to the distance,
// adds to what the plane holds, and tests no bounds: the plane is a multiple of a block's points. Does not diverge.
#include <array>

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

__global__ void coulomb(int atoms, float spacing, float* potential) {
  const unsigned column = __umul24(blockIdx.x, blockDim.x) * kPoints + threadIdx.x;
  const unsigned row = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  float* const points = potential + (__umul24(gridDim.x, blockDim.x) * kPoints * row + column);
  const float x = spacing * static_cast<float>(column), y = spacing * static_cast<float>(row);
  const float step = spacing * kWidth;
  float sums[kPoints] = {};
#pragma unroll 1
  for (int i = 0; i < atoms; ++i) {
    const Atom atom = device_atoms[i];
    const float dy = y - atom.y;
    const float across = fmaf(dy, dy, atom.height_squared);  // the same for all points of the thread
    float dx = x - atom.x;
#pragma unroll
    for (int point = 0; point < kPoints; ++point) {
      sums[point] = fmaf(atom.charge, rsqrtf(fmaf(dx, dx, across)), sums[point]);
      dx += step;
    }
  }
#pragma unroll
  for (int point = 0; point < kPoints; ++point) points[point * kWidth] += sums[point];
}

// A plane of points in rows, which is a number of whole blocks.
struct Plane {
  int width, height;
  std::vector<float> potential;
};

// At least `size` points per dimension; what is there already, of other charges, is about as much as a few of them add.
Plane make_plane(int size) {
  const auto round_up = [size](int unit) { return (size + unit - 1) / unit * unit; };
  Plane plane{round_up(kWidth * kPoints), round_up(kHeight), {}};
  workload::Random random(14);
  for (int i = 0; i < plane.width * plane.height; ++i) plane.potential.push_back(2.0f * random.unit() - 1.0f);
  return plane;
}

// Anywhere below the plane, but not so near that one of them outweighs all others.
std::vector<Atom> make_atoms(int count, const Plane& plane) {
  workload::Random random(13);
  std::vector<Atom> atoms;
  for (int i = 0; i < count; ++i) {
    const float x = kSpacing * static_cast<float>(plane.width) * random.unit();
    const float y = kSpacing * static_cast<float>(plane.height) * random.unit();
    const float height = 0.5f + 10.0f * random.unit();
    atoms.push_back({x, y, height * height, 2.0f * random.unit() - 1.0f});
  }
  return atoms;
}

std::vector<float> device_potential(const std::vector<Atom>& atoms, const Plane& before) {
  CUDA_CHECK(cudaMemcpyToSymbol(device_atoms, atoms.data(), atoms.size() * sizeof(Atom)));
  const workload::DeviceArray<float> potential(before.potential);
  const dim3 grid(before.width / (kWidth * kPoints), before.height / kHeight), block(kWidth, kHeight);
  coulomb<<<grid, block>>>(static_cast<int>(atoms.size()), kSpacing, potential.get());
  CUDA_CHECK(cudaGetLastError());
  return potential.download();
}

struct Sum {
  double value, absolute;  // of the terms, and of their absolute values
};

// What all atoms add to the points of the thread whose first point that is. Distances along an axis are added up and
// rounded as on the device: close to an atom, all that rounding would be much of them.
std::array<Sum, kPoints> reference(const std::vector<Atom>& atoms, int row, int column) {
  const float x = kSpacing * static_cast<float>(column), y = kSpacing * static_cast<float>(row);
  std::array<Sum, kPoints> sums{};
  for (const Atom& atom : atoms) {
    const float dy = y - atom.y;
    float dx = x - atom.x;
    for (Sum& sum : sums) {
      const double square = static_cast<double>(dx) * dx + static_cast<double>(dy) * dy + atom.height_squared;
      const double term = atom.charge / std::sqrt(square);
      sum.value += term;
      sum.absolute += std::fabs(term);
      dx += kSpacing * kWidth;
    }
  }
  return sums;
}

// Fails unless every point is as near to the sum in double precision as rounding can leave it. In units of 2^-24, a
// squared distance is off by at most 2 (one for each fmaf), its root by 1, rsqrt by 2.2 more (2^-22.9 as the PTX ISA
// states): under 4 for each term. Each addition, of a term and of the sum to what was there, is off by at most one unit
// of the sum so far, which the absolute terms bound.
void check(const std::vector<float>& potential, const std::vector<Atom>& atoms, const Plane& before) {
  const double bound = (static_cast<double>(atoms.size()) + 5.0) / (1 << 24);
  for (int row = 0; row < before.height; ++row)
    for (int thread = 0; thread < before.width / kPoints; ++thread) {
      const int first = thread / kWidth * kWidth * kPoints + thread % kWidth;
      const std::array<Sum, kPoints> sums = reference(atoms, row, first);
      for (int point = 0; point < kPoints; ++point) {
        const int column = first + point * kWidth, place = row * before.width + column;
        const double expected = before.potential[place] + sums[point].value;
        const double tolerance = bound * (std::fabs(before.potential[place]) + sums[point].absolute);
        if (!(std::fabs(potential[place] - expected) <= tolerance))
          workload::fail("potential in row %d, column %d: got %.9g, expected %.9g within %.2g", row, column,
                         potential[place], expected, tolerance);
      }
    }
}

}  // namespace

int main(int argc, char** argv) {
  int size = 512, atom_count = 100;
  workload::Options("cp", "Coulomb potential of charges on a plane, checked to the rounding of the sum")
      .number("--size", size, 1, 8192, "points of the plane per dimension, rounded up to whole blocks")
      .number("--atoms", atom_count, 1, kMaximumAtoms, "charges")
      .parse(argc, argv);

  const Plane plane = make_plane(size);
  const std::vector<Atom> atoms = make_atoms(atom_count, plane);
  check(device_potential(atoms, plane), atoms, plane);
  return workload::pass();
}
