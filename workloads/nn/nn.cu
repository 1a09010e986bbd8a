// The records nearest to a place: NN of the spatio-temporal SIMT paper's Table II, Rodinia's nearest neighbours (Che et
// al. 2009), where the records are positions of hurricanes. The device computes all distances, the host picks the
// nearest.
//
// Does not diverge, but in the last block, which has fewer records than threads.
#include <algorithm>
#include <numeric>

#include "../common/check.h"

namespace {

constexpr int kBlockThreads = 256;

struct Place {
  float latitude, longitude;  // degrees
};

// In degrees, as if they were equally long in both directions. The product meets the sum in an fmaf, so that host and
// device round alike.
__host__ __device__ inline float distance(Place a, Place b) {
  const float north = a.latitude - b.latitude, east = a.longitude - b.longitude;
  return sqrtf(fmaf(north, north, east * east));
}

__global__ void euclid(const Place* places, float* distances, int count, Place from) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self < count) distances[self] = distance(places[self], from);
}

// Anywhere in the north Atlantic.
std::vector<Place> make_places(int count) {
  workload::Random random(11);
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    const float latitude = 7.0f + 60.0f * random.unit();
    places.push_back({latitude, -100.0f + 90.0f * random.unit()});
  }
  return places;
}

std::vector<float> device_distances(const std::vector<Place>& places, Place from) {
  const int count = static_cast<int>(places.size());
  const workload::DeviceArray<Place> device_places(places);
  const workload::DeviceArray<float> distances(places.size());
  euclid<<<(count + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(device_places.get(), distances.get(), count,
                                                                         from);
  CUDA_CHECK(cudaGetLastError());
  return distances.download();
}

// The records of the smallest distances, the nearest first; of equal ones that with the smaller number.
std::vector<int> nearest(const std::vector<float>& distances, int count) {
  std::vector<int> order(distances.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int a, int b) {
    return distances[a] < distances[b] || (distances[a] == distances[b] && a < b);
  });
  order.resize(count);
  return order;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 42764, wanted = 5;
  workload::Options("nn", "the records nearest to a place, checked exactly")
      .number("--size", size, 1, 10000000, "records")
      .number("--nearest", wanted, 1, 10000000, "how many of them to find")
      .parse(argc, argv);
  if (wanted > size) workload::fail("--nearest %d: there are only %d records", wanted, size);

  const std::vector<Place> places = make_places(size);
  const Place from{30.0f, -90.0f};
  const std::vector<float> distances = device_distances(places, from);
  std::vector<float> expected;
  for (const Place& place : places) expected.push_back(distance(place, from));
  workload::expect_equal("distances", distances, expected);

  for (const int i : nearest(distances, wanted))
    std::printf("record %d at %.1f N, %.1f W: %.3f degrees\n", i, places[i].latitude, -places[i].longitude,
                distances[i]);
  return workload::pass();
}
