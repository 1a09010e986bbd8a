// Maxwell's equations by a nodal discontinuous Galerkin scheme of order 6 on tetrahedra: DG of the spatio-temporal SIMT
// paper's Table II, Warburton's solver among the programs of Bakhoda et al. 2009. A block is an element: it has 84
// nodes, and 28 on each of its four faces.
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
constexpr int kColumns = 4;  // of the lifting matrix that are read at once

// What does not change. Matrices lie column by column, so that threads, one a row, read side by side.
struct Elements {
  const float4* derivatives;  // three of them
  const float4* lift;         // kColumns columns
  const float* slopes;        // of an element: how each of its three coordinates changes with x, y and z
  const float4* faces;        // outward normal, and half of area by volume
  const int* face_nodes;      // of any element
  const int* neighbours;      // of a face node: where the fields of the node outside begin
};

// How the fields at a node change because they are not the same in all of the element: curls.
__global__ void volume(Elements elements, const float* __restrict__ fields, float* change) {
  __shared__ float own[kFields][kNodes];
  const int element = static_cast<int>(blockIdx.x), node = static_cast<int>(threadIdx.x);
  const int first = element * kElement + node;
  for (int f = 0; f < kFields; ++f) own[f][node] = fields[first + f * kPitch];
  __syncthreads();

  float along[3][kFields] = {};
#pragma unroll 4
  for (int m = 0; m < kNodes; ++m) {
    const float4 derivative = __ldg(elements.derivatives + m * kNodes + node);
    for (int f = 0; f < kFields; ++f) {
      const float value = own[f][m];
      along[0][f] = fmaf(derivative.x, value, along[0][f]);
      along[1][f] = fmaf(derivative.y, value, along[1][f]);
      along[2][f] = fmaf(derivative.z, value, along[2][f]);
    }
  }

  float slope[3][3];  // of coordinate i in direction d
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) slope[i][d] = elements.slopes[element * 9 + i * 3 + d];
  const auto derived = [&](int f, int d) {
    return fmaf(slope[0][d], along[0][f], fmaf(slope[1][d], along[1][f], slope[2][d] * along[2][f]));
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
  const int inside = element * kElement + elements.face_nodes[m];
  const int outside = elements.neighbours[element * kAllFaceNodes + m];
  const float4 face = elements.faces[element * dg::kFaces + m / kFaceNodes];
  const float n[3] = {face.x, face.y, face.z}, metal = inside == outside ? -1.0f : 1.0f;
  float h[3], e[3];  // inside less outside
  for (int d = 0; d < 3; ++d) {
    h[d] = fields[inside + d * kPitch] - fields[outside + d * kPitch];
    e[d] = fmaf(-metal, fields[outside + (3 + d) * kPitch], fields[inside + (3 + d) * kPitch]);
  }
  const float through_h = fmaf(n[0], h[0], fmaf(n[1], h[1], n[2] * h[2]));
  const float through_e = fmaf(n[0], e[0], fmaf(n[1], e[1], n[2] * e[2]));
  for (int d = 0; d < 3; ++d) {
    const int next = (d + 1) % 3, last = (d + 2) % 3;
    const float across_h = fmaf(n[next], h[last], -n[last] * h[next]),
                across_e = fmaf(n[next], e[last], -n[last] * e[next]);
    flux[d][m] = face.w * (across_e + fmaf(through_h, n[d], -h[d]));
    flux[3 + d][m] = face.w * (fmaf(through_e, n[d], -e[d]) - across_h);
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
  std::vector<float4> derivatives, lift, faces;
  std::vector<float> slopes;
  std::vector<int> face_nodes, neighbours;
};

float4 rounded(double x, double y, double z, double w) {
  return make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w));
}

void append_shapes(const dg::Mesh& mesh, DeviceData& data) {
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    const std::array<dg::Point, 4> slopes = dg::gradients(mesh, e);
    for (int i = 1; i < 4; ++i)
      for (const double number : {slopes[i].x, slopes[i].y, slopes[i].z})
        data.slopes.push_back(static_cast<float>(number));
    for (const dg::Point& slope : slopes) {
      const double length = std::sqrt(dg::dot(slope, slope));
      data.faces.push_back(rounded(-slope.x / length, -slope.y / length, -slope.z / length, 0.5 * length));
    }
  }
}

DeviceData make_device_data(const dg::Problem& problem) {
  DeviceData data;
  const dg::Simplex& simplex = problem.simplex;
  for (int m = 0; m < kNodes; ++m)
    for (int n = 0; n < kNodes; ++n)
      data.derivatives.push_back(rounded(simplex.derivatives[0].at(n, m), simplex.derivatives[1].at(n, m),
                                         simplex.derivatives[2].at(n, m), 0.0));
  for (int m = 0; m < kAllFaceNodes; m += kColumns)
    for (int n = 0; n < kNodes; ++n) {
      const double* const row = simplex.lift.data() + n * kAllFaceNodes + m;
      data.lift.push_back(rounded(row[0], row[1], row[2], row[3]));
    }
  for (const std::vector<int>& nodes : simplex.face_nodes)
    data.face_nodes.insert(data.face_nodes.end(), nodes.begin(), nodes.end());
  for (const int node : problem.neighbours) data.neighbours.push_back(node / kNodes * kElement + node % kNodes);
  append_shapes(problem.mesh, data);
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
  const workload::DeviceArray<float4> derivatives(data.derivatives), lift(data.lift), faces(data.faces);
  const workload::DeviceArray<float> slopes(data.slopes);
  const workload::DeviceArray<int> face_nodes(data.face_nodes), neighbours(data.neighbours);
  const std::vector<float> begin = packed(start), zero(begin.size());
  const workload::DeviceArray<float> fields(begin), change(zero), increments(zero);

  const Elements elements{derivatives.get(), lift.get(), slopes.get(), faces.get(), face_nodes.get(), neighbours.get()};
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
