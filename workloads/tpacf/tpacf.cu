// Two-point angular correlation, TPACF of the CAPRI report's figures: how many pairs of points on the sky lie how far
// apart, for observed points, for sets of random points, and between both. One block a histogram.
//
// Lanes pair off triangles where a set meets itself, search the bin of each pair by halving, and collide in histograms
// in shared memory.
#include "../common/check.h"

constexpr int kBounds = 21;  // 1 to 10,000 minutes of arc, five bins a decade, as in Parboil

// Cosines, falling. Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ float device_bounds[kBounds];

namespace {

constexpr int kBlockThreads = 256;
constexpr int kHistograms = 8;      // a block's threads share so many, to collide less
constexpr int kBins = kBounds + 1;  // with those below the first bound and beyond the last
constexpr double kPi = 3.14159265358979323846;

struct Point {
  float x, y, z;  // on the unit sphere
};

// Cosine of the angle between two points; explicit fmaf, so that host and device round alike.
__host__ __device__ inline float cosine(Point a, Point b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }

__device__ inline int bin_of(float cosine) {
  int low = 0, high = kBounds - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (cosine >= device_bounds[middle])
      high = middle;
    else
      low = middle;
  }
  if (cosine >= device_bounds[low]) {
    return low;
  } else if (cosine < device_bounds[high]) {
    return high + 1;
  } else {
    return high;
  }
}

// Points of set s are points[s * count ...]; set 0 is the observed one. Block 0 pairs it with itself, block 2 s - 1
// random set s with itself, and block 2 s the observed set with random set s.
__global__ void correlate(const Point* points, int count, unsigned* histograms) {
  __shared__ Point tile[kBlockThreads];
  __shared__ unsigned partial[kHistograms][kBins];
  const int self = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const int right_set = (block + 1) / 2, left_set = block % 2 == 1 ? right_set : 0;
  const Point* const left = points + static_cast<std::size_t>(left_set) * count;
  const Point* const right = points + static_cast<std::size_t>(right_set) * count;
  for (int i = self; i < kHistograms * kBins; i += kBlockThreads) partial[i / kBins][i % kBins] = 0;
  unsigned* const histogram = partial[self % kHistograms];

  for (int begin = 0; begin < count; begin += kBlockThreads) {
    __syncthreads();
    if (begin + self < count) tile[self] = left[begin + self];
    __syncthreads();
    const int tile_size = count - begin < kBlockThreads ? count - begin : kBlockThreads;
    for (int other = (left_set == right_set ? begin : 0) + self; other < count; other += kBlockThreads) {
      const Point point = right[other];
      const int before = other - begin;  // within a set every pair counts once
      const int end = left_set == right_set && before < tile_size ? before : tile_size;
      for (int i = 0; i < end; ++i) atomicAdd(&histogram[bin_of(cosine(tile[i], point))], 1u);
    }
  }

  __syncthreads();
  if (self < kBins) {
    unsigned sum = 0;
    for (int i = 0; i < kHistograms; ++i) sum += partial[i][self];
    histograms[block * kBins + self] = sum;
  }
}

Point on_sphere(double z, double angle) {
  const double radius = std::sqrt(1 - z * z);
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle)),
          static_cast<float>(z)};
}

// The observed set: groups of points within some degrees. The random ones: spread evenly.
std::vector<Point> make_points(int count, int sets) {
  workload::Random random(29);
  std::vector<Point> points;
  double z = 0, angle = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 16 == 0) {
      z = 1.8 * random.unit() - 0.9;
      angle = 2 * kPi * random.unit();
    }
    const double spread = 0.1 * random.unit() * random.unit();  // many close together
    points.push_back(on_sphere(z + spread * (random.unit() - 0.5), angle + spread * (random.unit() - 0.5)));
  }
  for (int i = 0; i < sets * count; ++i) {
    const double height = 2.0 * random.unit() - 1.0;
    points.push_back(on_sphere(height, 2 * kPi * random.unit()));
  }
  return points;
}

std::vector<float> make_bounds() {
  std::vector<float> bounds;
  for (int i = 0; i < kBounds; ++i)
    bounds.push_back(static_cast<float>(std::cos(std::pow(10.0, i / 5.0) / 60 * kPi / 180)));
  return bounds;
}

// All histograms, with bins found by going through the bounds one by one.
std::vector<unsigned> reference(const std::vector<Point>& points, int count, int sets,
                                const std::vector<float>& bounds) {
  std::vector<unsigned> histograms;
  const auto add = [&](int left_set, int right_set) {
    std::vector<unsigned> histogram(kBins);
    for (int i = 0; i < count; ++i) {
      for (int j = left_set == right_set ? i + 1 : 0; j < count; ++j) {
        const float found = cosine(points[left_set * count + i], points[right_set * count + j]);
        int bin = 0;
        while (bin < kBounds && found < bounds[bin]) ++bin;
        ++histogram[bin];
      }
    }
    histograms.insert(histograms.end(), histogram.begin(), histogram.end());
  };
  add(0, 0);
  for (int set = 1; set <= sets; ++set) {
    add(set, set);
    add(0, set);
  }
  return histograms;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 300, sets = 7;
  workload::Options("tpacf", "two-point angular correlation by histograms of distances, checked exactly")
      .number("--points", count, 1, 20000, "points of each set")
      .number("--sets", sets, 1, 200, "random sets; 1 + twice as many blocks are launched")
      .parse(argc, argv);

  const std::vector<Point> points = make_points(count, sets);
  const std::vector<float> bounds = make_bounds();
  const int blocks = 1 + 2 * sets;
  CUDA_CHECK(cudaMemcpyToSymbol(device_bounds, bounds.data(), bounds.size() * sizeof(float)));
  const workload::DeviceArray<Point> device_points(points);
  const workload::DeviceArray<unsigned> histograms(static_cast<std::size_t>(blocks) * kBins);
  correlate<<<blocks, kBlockThreads>>>(device_points.get(), count, histograms.get());
  CUDA_CHECK(cudaGetLastError());

  workload::expect_equal("histograms", histograms.download(), reference(points, count, sets, bounds));
  return workload::pass();
}
