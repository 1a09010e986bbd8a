// A ray tracer of reflecting spheres over a floor, with shadows: RAY of the multi-path paper's Table 1, which is that
// of Bakhoda et al. 2009. Structure after it: a thread per pixel, one loop over four objects for the nearest hit, one
// that ends with the first hit for the shadow, the same shading for all objects, and up to five levels of reflection.
#include "../common/vector.h"

struct Object {
  Vec center;
  float radius;
  Vec color;
  int is_floor;  // a plane through `center`, facing upwards
};

constexpr int kObjects = 4;

struct Scene {
  Object objects[kObjects];
  Vec light, eye;
};

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ Scene device_scene;

namespace {

constexpr int kBlockWidth = 16, kBlockHeight = 8;
constexpr int kLevels = 5;
constexpr float kFar = 1e4f;
constexpr float kMiss = 0.0f;   // instead of a distance
constexpr float kStep = 1e-4f;  // along a new ray, so that it does not hit what it leaves

__host__ __device__ inline float sphere_distance(Vec origin, Vec direction, Vec center, float radius) {
  const Vec to_center = minus(center, origin);
  const float ahead = dot(to_center, direction), distance2 = dot(to_center, to_center), radius2 = radius * radius;
  const bool outside = distance2 > radius2;
  if (ahead < 0.0f && outside) return kMiss;
  const float off_axis2 = fmaf(-ahead, ahead, distance2);
  if (off_axis2 > radius2) return kMiss;
  const float half_chord = sqrtf(radius2 - off_axis2);
  return outside ? ahead - half_chord : ahead + half_chord;
}

__host__ __device__ inline float floor_distance(Vec origin, Vec direction, Vec point) {
  if (fabsf(direction.y) < 1e-4f) return kMiss;
  const float distance = (point.y - origin.y) / direction.y;
  return distance > 0.0f ? distance : kMiss;
}

__host__ __device__ inline float distance_to(const Object& object, Vec origin, Vec direction) {
  return object.is_floor ? floor_distance(origin, direction, object.center)
                         : sphere_distance(origin, direction, object.center, object.radius);
}

__host__ __device__ inline bool is_lit(const Scene& scene, Vec point, Vec to_light, float light_distance) {
  const Vec origin = along(point, kStep, to_light);
  float distance = kMiss;
  for (int i = 0; i < kObjects && distance == kMiss; ++i) {
    distance = distance_to(scene.objects[i], origin, to_light);
    if (distance > light_distance) distance = kMiss;
  }
  return distance == kMiss;
}

__host__ __device__ inline float power_20(float a) {
  const float to_4 = a * a * a * a;
  return to_4 * to_4 * to_4 * to_4 * to_4;
}

// What a point of an object throws back towards where the ray came from, without what it mirrors.
__host__ __device__ inline Vec shade(const Scene& scene, const Object& object, Vec point, Vec normal, Vec direction) {
  Vec color = scaled(object.color, 0.05f);
  const Vec to_light = minus(scene.light, point);
  const float distance = sqrtf(dot(to_light, to_light));
  const Vec toward = scaled(to_light, 1.0f / distance);
  const float cosine = dot(normal, toward);
  if (cosine > 0.0f && is_lit(scene, point, toward, distance)) {
    const Vec halfway = normalized(minus(toward, direction));
    color = along(color, 0.3f * fminf(cosine, 1.0f), object.color);
    color = along(color, 0.5f * power_20(fmaxf(dot(normal, halfway), 0.0f)), {1.0f, 1.0f, 1.0f});
  }
  return color;
}

// The color seen along a ray: each level's own, and half of what the next one shows.
__host__ __device__ inline Vec trace(const Scene& scene, Vec origin, Vec direction) {
  Vec color = {0.0f, 0.0f, 0.0f};
  float weight = 1.0f;
  int hits = 0;
  for (int level = 0; level < kLevels && hits == level; ++level) {
    float nearest = kFar;
    int found = 0;
    for (int i = 0; i < kObjects; ++i) {
      const float distance = distance_to(scene.objects[i], origin, direction);
      if (distance > 0.0f && distance < nearest) {
        nearest = distance;
        found = i;
      }
    }
    if (nearest < kFar) {
      ++hits;
      const Object& object = scene.objects[found];
      const Vec point = along(origin, nearest, direction);
      Vec normal = object.is_floor ? Vec{0.0f, 1.0f, 0.0f} : normalized(minus(point, object.center));
      if (dot(normal, direction) > 0.0f) normal = scaled(normal, -1.0f);
      color = along(color, weight, shade(scene, object, point, normal, direction));
      weight *= 0.5f;
      direction = normalized(reflected(direction, normal));
      origin = along(point, kStep, direction);
    }
  }
  return color;
}

__host__ __device__ inline unsigned channel(float intensity) {
  return static_cast<unsigned>(fmaf(fminf(fmaxf(intensity, 0.0f), 1.0f), 255.0f, 0.5f));
}

// One pixel of the picture as 0x00RRGGBB.
__host__ __device__ inline unsigned pixel(const Scene& scene, int column, int row, int size) {
  const float scale = 2.0f / static_cast<float>(size);
  const float x = fmaf(static_cast<float>(column), scale, -1.0f), y = fmaf(static_cast<float>(row), -scale, 1.0f);
  const Vec color = trace(scene, scene.eye, normalized({x, y - 0.4f, -1.57f}));
  return channel(color.x) << 16 | channel(color.y) << 8 | channel(color.z);
}

__global__ void render(unsigned* picture, int size) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column < size && row < size) picture[row * size + column] = pixel(device_scene, column, row, size);
}

Scene make_scene() {
  return {{{{0.0f, -1.5f, 0.0f}, 0.0f, {0.0f, 1.0f, 1.0f}, 1},
           {{-1.0f, 0.0f, -1.0f}, 0.5f, {1.0f, 0.0f, 0.0f}, 0},
           {{1.0f, 0.0f, -1.0f}, 0.5f, {0.0f, 0.0f, 1.0f}, 0},
           {{0.0f, 0.0f, -2.0f}, 0.75f, {0.0f, 1.0f, 0.0f}, 0}},
          {10.0f, 10.0f, 10.0f},
          {0.0f, 0.5f, 2.0f}};
}

}  // namespace

int main(int argc, char** argv) {
  int size = 64;
  workload::Options("ray", "picture of reflecting spheres over a floor, checked exactly")
      .number("--size", size, 1, 4096, "width and height of the picture in pixels")
      .parse(argc, argv);

  const Scene scene = make_scene();
  CUDA_CHECK(cudaMemcpyToSymbol(device_scene, &scene, sizeof scene));
  const workload::DeviceArray<unsigned> device_picture(static_cast<std::size_t>(size) * size);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + kBlockHeight - 1) / kBlockHeight);
  render<<<grid, block>>>(device_picture.get(), size);
  CUDA_CHECK(cudaGetLastError());

  std::vector<unsigned> expected;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) expected.push_back(pixel(scene, column, row, size));
  workload::expect_equal("pixels", device_picture.download(), expected);
  return workload::pass();
}
