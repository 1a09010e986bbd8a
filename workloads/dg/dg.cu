// Maxwell's equations by a nodal discontinuous Galerkin scheme of order 6 on tetrahedra: DG of the spatio-temporal SIMT
// paper's Table II, Warburton's solver among the programs of Bakhoda et al. 2009. A block is an element: it has 84
// nodes, and 28 on each of its four faces. After that solver are what is fetched from where and in which layout, and
// that what flows through the faces is computed in double precision.
//
// Blocks do not fill their warps: 84 threads are two and 20 of the third. The second half of the surface's work has 84
// threads of 112.
#include "../common/check.h"
#include "cavity.h"

namespace {

using dg::kAllFaceNodes;
using dg::kFaceNodes;
using dg::kFields;
using dg::kNodes;

constexpr int kPitch = 96;                  // numbers from field to field of an element, of which kNodes are used
constexpr int kElement = kFields * kPitch;  // and from element to element
constexpr double kRounding = 1e-5;          // of a step: README.md
constexpr int kUpdateThreads = 256;
constexpr int kColumns = 4;   // of the lifting matrix that are read at once
constexpr int kFactors = 12;  // of an element's shape: for each of its coordinates three, and one that is not used

// What the surface must know of a face node, in this order. Indices are numbers like the others, as which they are
// exact: the largest mesh that can be asked for has fewer than 2^24 numbers.
enum SurfaceNumber {
  kInside,      // where the fields of the node begin
  kOutside,     // and those of the node on the other side; -1 less a node's number if another process has it
  kScale,       // half of area by volume
  kReflection,  // -1 where metal mirrors the electric field
  kNormal,      // outward: three
  kSurfaceNumbers = kNormal + 3
};

// What does not change. Matrices lie column by column, so that threads, one a row, read side by side.
struct Elements {
  const float4* derivatives;  // three of them, kPitch rows
  const float4* lift;         // kColumns columns
  const float* factors;       // of an element: how each of its three coordinates changes with x, y and z
  const float* surface;       // of an element: the first of its kSurfaceNumbers for all face nodes, then the second …
  const float* received;      // fields of nodes that other processes have, node by node: there are none
};

// How the fields at a node change because they are not the same in all of the element: curls.
__global__ void volume(Elements elements, const float* __restrict__ fields, float* change) {
  __shared__ float own[kFields][kPitch];
  __shared__ float factors[kFactors];
  const int element = static_cast<int>(blockIdx.x), node = static_cast<int>(threadIdx.x);
  const int first = element * kElement + node;
  for (int f = 0; f < kFields; ++f) own[f][node] = fields[first + f * kPitch];
  if (node < kFactors) factors[node] = __ldg(elements.factors + element * kFactors + node);
  __syncthreads();

  float along[3][kFields] = {};
#pragma unroll 3
  for (int m = 0; m < kNodes; ++m) {
    const float4 derivative = __ldg(elements.derivatives + m * kPitch + node);
    for (int f = 0; f < kFields; ++f) {
      const float value = own[f][m];
      along[0][f] = fmaf(derivative.x, value, along[0][f]);
      along[1][f] = fmaf(derivative.y, value, along[1][f]);
      along[2][f] = fmaf(derivative.z, value, along[2][f]);
    }
  }

  // How field f changes in direction d.
  const auto derived = [&](int f, int d) {
    return fmaf(factors[d], along[0][f], fmaf(factors[4 + d], along[1][f], factors[8 + d] * along[2][f]));
  };
  for (int d = 0; d < 3; ++d) {
    const int next = (d + 1) % 3, last = (d + 2) % 3;
    change[first + d * kPitch] = derived(3 + next, last) - derived(3 + last, next);
    change[first + (3 + d) * kPitch] = derived(last, next) - derived(next, last);
  }
}

// What flows through a face node, into shared memory: upwinding.
__device__ inline void store_flux(const Elements& elements, const float* fields, int element, int m,
                                  float (*flux)[kAllFaceNodes]) {
  const float* const numbers = elements.surface + element * kSurfaceNumbers * kAllFaceNodes + m;
  const auto number = [&](int i) { return __ldg(numbers + i * kAllFaceNodes); };
  const int inside = static_cast<int>(number(kInside)), outside = static_cast<int>(number(kOutside));
  const float scale = number(kScale), reflection = number(kReflection);
  const double n[3] = {number(kNormal), number(kNormal + 1), number(kNormal + 2)};
  double h[3], e[3];  // outside less inside
  if (outside < 0) {
    const float* const received = elements.received + kFields * (-1 - outside);
    for (int d = 0; d < 3; ++d) {
      h[d] = scale * (__ldg(received + d) - fields[inside + d * kPitch]);
      e[d] = scale * (__ldg(received + 3 + d) - fields[inside + (3 + d) * kPitch]);
    }
  } else {
    for (int d = 0; d < 3; ++d) {
      h[d] = scale * (fields[outside + d * kPitch] - fields[inside + d * kPitch]);
      e[d] = scale * (reflection * fields[outside + (3 + d) * kPitch] - fields[inside + (3 + d) * kPitch]);
    }
  }
  const double through_h = n[0] * h[0] + n[1] * h[1] + n[2] * h[2];
  const double through_e = n[0] * e[0] + n[1] * e[1] + n[2] * e[2];
  for (int d = 0; d < 3; ++d) {
    const int next = (d + 1) % 3, last = (d + 2) % 3;
    flux[d][m] = static_cast<float>(n[last] * e[next] - n[next] * e[last] + h[d] - through_h * n[d]);
    flux[3 + d][m] = static_cast<float>(n[next] * h[last] - n[last] * h[next] + e[d] - through_e * n[d]);
  }
}

// How the fields change because the neighbours have other ones.
__global__ void surface(Elements elements, const float* __restrict__ fields, float* change) {
  __shared__ float flux[kFields][kAllFaceNodes];
  const int element = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  store_flux(elements, fields, element, thread, flux);
  __syncthreads();
  if (thread >= kNodes) return;

  float sum[kFields] = {};
  for (int m = 0; m < kAllFaceNodes; m += kColumns) {
    const float4 lift = __ldg(elements.lift + m / kColumns * kNodes + thread);
    for (int f = 0; f < kFields; ++f) {
      sum[f] = fmaf(lift.x, flux[f][m], sum[f]);
      sum[f] = fmaf(lift.y, flux[f][m + 1], sum[f]);
      sum[f] = fmaf(lift.z, flux[f][m + 2], sum[f]);
      sum[f] = fmaf(lift.w, flux[f][m + 3], sum[f]);
    }
  }
  for (int f = 0; f < kFields; ++f) change[element * kElement + f * kPitch + thread] += sum[f];
}

// A stage of the Runge-Kutta scheme, one thread a number.
__global__ void update(int numbers, float keep, float duration, float add, const float* change, float* increments,
                       float* fields) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= numbers) return;
  const float increment = fmaf(keep, increments[n], duration * change[n]);
  increments[n] = increment;
  fields[n] = fmaf(add, increment, fields[n]);
}

// The problem as the kernels read it.
struct DeviceData {
  std::vector<float4> derivatives, lift;
  std::vector<float> factors, surface;
};

float4 rounded(double x, double y, double z, double w) {
  return make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w));
}

void append_matrices(const dg::Simplex& simplex, DeviceData& data) {
  data.derivatives.resize(kNodes * kPitch);
  for (int m = 0; m < kNodes; ++m)
    for (int n = 0; n < kNodes; ++n)
      data.derivatives[m * kPitch + n] = rounded(simplex.derivatives[0].at(n, m), simplex.derivatives[1].at(n, m),
                                                 simplex.derivatives[2].at(n, m), 0.0);
  for (int m = 0; m < kAllFaceNodes; m += kColumns)
    for (int n = 0; n < kNodes; ++n) {
      const double* const row = simplex.lift.data() + n * kAllFaceNodes + m;
      data.lift.push_back(rounded(row[0], row[1], row[2], row[3]));
    }
}

void append_factors(const std::array<dg::Point, 4>& slopes, DeviceData& data) {
  for (int i = 1; i < 4; ++i)
    for (const double number : {slopes[i].x, slopes[i].y, slopes[i].z, 0.0})
      data.factors.push_back(static_cast<float>(number));
}

// Where a node's fields begin.
int place_of(int node) { return node / kNodes * kElement + node % kNodes; }

void append_surface(const dg::Problem& problem, int element, const std::array<dg::Point, 4>& slopes, DeviceData& data) {
  std::array<std::array<double, kAllFaceNodes>, kSurfaceNumbers> numbers;
  for (int m = 0; m < kAllFaceNodes; ++m) {
    const int face = m / kFaceNodes;
    const int inside = element * kNodes + problem.simplex.face_nodes[face][m % kFaceNodes];
    const int outside = problem.neighbours[element * kAllFaceNodes + m];
    const double length = std::sqrt(dg::dot(slopes[face], slopes[face]));
    numbers[kInside][m] = place_of(inside);
    numbers[kOutside][m] = place_of(outside);
    numbers[kScale][m] = 0.5 * length;
    numbers[kReflection][m] = inside == outside ? -1.0 : 1.0;
    numbers[kNormal][m] = -slopes[face].x / length;
    numbers[kNormal + 1][m] = -slopes[face].y / length;
    numbers[kNormal + 2][m] = -slopes[face].z / length;
  }
  for (const auto& row : numbers)
    for (const double number : row) data.surface.push_back(static_cast<float>(number));
}

DeviceData make_device_data(const dg::Problem& problem) {
  DeviceData data;
  append_matrices(problem.simplex, data);
  for (int e = 0; e < static_cast<int>(problem.mesh.elements.size()); ++e) {
    const std::array<dg::Point, 4> slopes = dg::gradients(problem.mesh, e);
    append_factors(slopes, data);
    append_surface(problem, e, slopes, data);
  }
  return data;
}

// The fields as the device stores them, and back.
std::vector<float> packed(const dg::Fields& fields) {
  std::vector<float> numbers(fields.size() / kNodes * kElement);
  for (std::size_t n = 0; n < fields.size(); ++n)
    for (int f = 0; f < kFields; ++f)
      numbers[n / kNodes * kElement + f * kPitch + n % kNodes] = static_cast<float>(fields[n][f]);
  return numbers;
}

std::vector<float> without_padding(const std::vector<float>& numbers) {
  std::vector<float> used;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (i % kPitch < kNodes) used.push_back(numbers[i]);
  return used;
}

// In the same order as without_padding.
std::vector<double> listed(const dg::Fields& fields) {
  std::vector<double> numbers;
  for (std::size_t e = 0; e < fields.size() / kNodes; ++e)
    for (int f = 0; f < kFields; ++f)
      for (int n = 0; n < kNodes; ++n) numbers.push_back(fields[e * kNodes + n][f]);
  return numbers;
}

std::vector<float> solve(const dg::Problem& problem, const dg::Fields& start, int stages) {
  const DeviceData data = make_device_data(problem);
  const workload::DeviceArray<float4> derivatives(data.derivatives), lift(data.lift);
  const workload::DeviceArray<float> factors(data.factors), surface_numbers(data.surface), received(kFields);
  const std::vector<float> begin = packed(start), zero(begin.size());
  const workload::DeviceArray<float> fields(begin), change(zero), increments(zero);

  const Elements elements{derivatives.get(), lift.get(), factors.get(), surface_numbers.get(), received.get()};
  const int count = static_cast<int>(problem.mesh.elements.size()), numbers = count * kElement;
  const float duration = static_cast<float>(dg::time_step(problem.mesh));
  for (int stage = 0; stage < stages; ++stage) {
    volume<<<count, kNodes>>>(elements, fields.get(), change.get());
    surface<<<count, kAllFaceNodes>>>(elements, fields.get(), change.get());
    update<<<(numbers + kUpdateThreads - 1) / kUpdateThreads, kUpdateThreads>>>(
        numbers, static_cast<float>(dg::kKeep[stage % dg::kStages]), duration,
        static_cast<float>(dg::kAdd[stage % dg::kStages]), change.get(), increments.get(), fields.get());
  }
  CUDA_CHECK(cudaGetLastError());
  return without_padding(fields.download());
}

}  // namespace

int main(int argc, char** argv) {
  int size = 4, stages = dg::kStages;
  workload::Options("dg",
                    "Maxwell's equations by a discontinuous Galerkin scheme, checked against the host and a known wave")
      .number("--size", size, 1, 16, "cubes of the box in x and in y, one less in z; 4 are 268 elements")
      .number("--stages", stages, 1, 500, "three launches each; five are a step in time")
      .parse(argc, argv);

  const dg::Problem problem{dg::make_box(size)};
  const double begin = 0.3;
  const dg::Fields start = dg::wave_at_nodes(problem, begin);
  const std::vector<float> got = solve(problem, start, stages);
  const int steps = (stages + dg::kStages - 1) / dg::kStages;
  const double rounding = kRounding * steps, resolution = steps * std::pow(size, -1.0 - dg::kOrder);
  workload::expect_near("fields", got, listed(dg::reference(problem, start, stages)), rounding);
  if (stages % dg::kStages == 0) {
    const dg::Fields wave = dg::wave_at_nodes(problem, begin + steps * dg::time_step(problem.mesh));
    workload::expect_near("fields of the known wave", got, listed(wave), std::max(rounding, resolution));
  }
  std::printf("%zu elements\n", problem.mesh.elements.size());
  return workload::pass();
}
