// Monte Carlo transport of X-ray photons through a chest of voxels: MC of the multi-path paper's Table 1, after the
// published description of MC-GPU (Badal and Badano, Medical Physics 36, 2009). Gives a radiograph, parted by how often
// photons were scattered, and the dose in every voxel.
//
// A thread follows one photon after another. How far each flies, what happens to it and how often a random number is
// rejected on the way differ from lane to lane.
#include "photon.h"

namespace {

constexpr int kBlock = 128;

// What a photon has been through, and the layer of the image that counts it.
enum Scatter { kPrimary, kOneCompton, kOneRayleigh, kMultiple, kLayers };

struct World {
  const Physics* physics;
  const Voxel* voxels;
  unsigned long long* dose;   // eV in every voxel
  unsigned long long* image;  // eV in every pixel of every layer
};

// Counts energy in whole eV, so that no order of additions matters.
__host__ __device__ inline void tally(unsigned long long* place, float energy) {
  const auto amount = static_cast<unsigned long long>(fmaf(energy, 1000.0f, 0.5f));
#ifdef __CUDA_ARCH__
  atomicAdd(place, amount);
#else
  *place += amount;
#endif
}

// Lets a photon that has left the phantom fly on to the detector, 10 cm behind it.
__host__ __device__ inline void detect(const World& world, const Photon& photon, int scatter) {
  if (photon.direction.y <= 0.0f) return;
  const float distance = (kBox + 10.0f - photon.position.y) / photon.direction.y;
  const float x = fmaf(distance, photon.direction.x, photon.position.x - 0.5f * kBox) + 0.5f * kPixels * kPixelSize;
  const float z = fmaf(distance, photon.direction.z, photon.position.z - 0.5f * kBox) + 0.5f * kPixels * kPixelSize;
  if (x < 0.0f || x >= kPixels * kPixelSize || z < 0.0f || z >= kPixels * kPixelSize) return;
  const int pixel = static_cast<int>(z / kPixelSize) * kPixels + static_cast<int>(x / kPixelSize);
  tally(world.image + scatter * kPixels * kPixels + pixel, photon.energy);
}

// Follows a photon until it is absorbed or leaves. It flies by Woodcock's method: as if the phantom were everywhere as
// dense as anywhere, with interactions that turn out to be none where it is not.
__host__ __device__ inline void follow(const World& world, Photon photon, Ranecu& random) {
  const Physics& physics = *world.physics;
  int scatter = kPrimary;
  for (;;) {
    const int bin = static_cast<int>(photon.energy);
    const float free_path = at(physics.free_path[bin], photon.energy);
    int cell;
    Voxel voxel;
    float choice, nothing, per_density;
    do {
      move(photon, free_path * negative_log(random.next()));
      cell = locate(photon.position);
      if (cell < 0) break;
      voxel = world.voxels[cell];
      per_density = free_path * voxel.density;
      nothing = fmaf(-per_density, at(physics.attenuation[voxel.material][bin].total, photon.energy), 1.0f);
      choice = random.next();
    } while (choice < nothing);
    if (cell < 0) break;

    const Attenuation& attenuation = physics.attenuation[voxel.material][bin];
    const float compton = fmaf(per_density, at(attenuation.compton, photon.energy), nothing);
    const float rayleigh = fmaf(per_density, at(attenuation.rayleigh, photon.energy), compton);
    float cosine;
    if (choice < compton) {
      const float before = photon.energy;
      cosine = scatter_compton(photon.energy, voxel.material, physics, random);
      tally(world.dose + cell, before - photon.energy);
      scatter = scatter == kPrimary ? kOneCompton : kMultiple;
    } else if (choice < rayleigh) {
      cosine = scatter_rayleigh(photon.energy, voxel.material, physics, random);
      scatter = scatter == kPrimary ? kOneRayleigh : kMultiple;
    } else {  // photoelectric absorption
      tally(world.dose + cell, photon.energy);
      return;
    }
    if (photon.energy < kCutoff) {
      tally(world.dose + cell, photon.energy);
      return;
    }
    turn(photon, cosine, random);
  }
  detect(world, photon, scatter);
}

// What one thread does: `count` photons from number `first` on, with the random numbers that begin there.
__host__ __device__ inline void run_histories(const World& world, unsigned first, unsigned count) {
  Ranecu random(first);
  for (unsigned i = 0; i < count; ++i) {
    Photon photon;
    if (emit(photon, *world.physics, random))
      follow(world, photon, random);
    else
      detect(world, photon, kPrimary);
  }
}

__global__ void transport(World world, unsigned threads, unsigned per_thread) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < threads) run_histories(world, thread * per_thread, per_thread);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 1920, per_thread = 2;
  workload::Options("mc", "X-ray photons through a chest of voxels by Monte Carlo, image and dose checked exactly")
      .number("--threads", threads, 1, 4000000, "threads, in blocks of 128")
      .number("--per-thread", per_thread, 1, 500, "photons that one thread follows, one after another")
      .parse(argc, argv);

  using Tally = std::vector<unsigned long long>;
  const std::vector<Voxel> host_voxels = phantom::make_voxels();
  const std::vector<Physics> host_physics(1, phantom::make_physics(host_voxels));
  Tally expected_dose(host_voxels.size(), 0), expected_image(kLayers * kPixels * kPixels, 0);

  const workload::DeviceArray<Voxel> voxels(host_voxels);
  const workload::DeviceArray<Physics> physics(host_physics);
  const workload::DeviceArray<unsigned long long> dose(expected_dose), image(expected_image);
  transport<<<(threads + kBlock - 1) / kBlock, kBlock>>>({physics.get(), voxels.get(), dose.get(), image.get()},
                                                         threads, per_thread);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  const World world{host_physics.data(), host_voxels.data(), expected_dose.data(), expected_image.data()};
  for (int i = 0; i < threads; ++i) run_histories(world, i * per_thread, per_thread);
  workload::expect_equal("dose", dose.download(), expected_dose);
  workload::expect_equal("image", image.download(), expected_image);
  return workload::pass();
}
