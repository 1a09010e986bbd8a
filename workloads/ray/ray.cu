// A ray tracer of reflecting spheres over a floor, with shadows: RAY of the multi-path paper's Table 1, which is that
// of Bakhoda et al. 2009. Structure after it: a thread per pixel, one loop over four objects for the nearest hit, one
// that ends with the first hit for the shadow, the same shading for all objects, and up to five levels of reflection,
// whose colors lie in an array of the thread's until the last one is known. As there, every direction is brought to
// length 1 by a reciprocal square root, highlights are a power, objects may be moved aside by an argument, and the
// picture is first cleared and then added to.
#include "../common/vector.h"

struct Color {
  float red, green, blue, opacity;
};

struct Object {
  Vec center;
  float radius;
  Color color;
  int is_floor;  // a plane through `center`, facing upwards
};

struct View {
  Vec forward, up, right;  // at right angles, of length 1
  Vec eye;
};

constexpr int kObjects = 4;

// Not in the unnamed namespace: there clang 14 takes them for constants that the host never sets.
__constant__ Object device_objects[kObjects];
__constant__ View device_view;

namespace {

constexpr int kBlockWidth = 16, kBlockHeight = 8;
constexpr int kLevels = 5;
constexpr float kFar = 1e4f;
constexpr float kMiss = 0.0f;   // instead of a distance
constexpr float kStep = 1e-4f;  // along a new ray, so that it does not hit what it leaves
constexpr float kMirrored = 0.8f;
constexpr Vec kLight = {10.0f, 10.0f, 10.0f};
constexpr Vec kUpwards = {0.0f, 1.0f, 0.0f};

__host__ __device__ inline Vec directed(Vec a) {
#ifdef __CUDA_ARCH__
  return scaled(a, rsqrtf(dot(a, a)));
#else
  return scaled(a, 1.0f / sqrtf(dot(a, a)));
#endif
}

__host__ __device__ inline Color added(Color a, float weight, Color b) {
  return {fmaf(weight, b.red, a.red), fmaf(weight, b.green, a.green), fmaf(weight, b.blue, a.blue),
          fmaf(weight, b.opacity, a.opacity)};
}

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
  const Vec normal = directed(kUpwards);
  const float descent = dot(normal, direction);
  if (fabsf(descent) < 1e-4f) return kMiss;
  const float distance = -dot(normal, minus(origin, point)) / descent;
  return distance > 0.0f ? distance : kMiss;
}

// Where it is when it has been moved aside.
__host__ __device__ inline Vec center_of(const Object& object, float shift) {
  return {object.center.x + shift, object.center.y, object.center.z};
}

__host__ __device__ inline float distance_to(const Object& object, float shift, Vec origin, Vec direction) {
  const Vec center = center_of(object, shift);
  return object.is_floor ? floor_distance(origin, direction, center)
                         : sphere_distance(origin, direction, center, object.radius);
}

__host__ __device__ inline bool is_lit(const Object* objects, float shift, Vec point, Vec to_light) {
  const Vec way = minus(kLight, point), origin = along(point, kStep, to_light);
  const float distance2 = dot(way, way);
  float distance = kMiss;
#pragma unroll 1
  for (int i = 0; i < kObjects && distance == kMiss; ++i) {
    distance = distance_to(objects[i], shift, origin, to_light);
    const Vec to_hit = scaled(to_light, distance);
    if (distance > 0.0f && dot(to_hit, to_hit) > distance2) distance = kMiss;
  }
  return distance == kMiss;
}

struct Ray {
  Vec origin, direction;
};

// What a point of an object throws back towards where the ray came from, without what it mirrors. The ray goes on from
// there.
__host__ __device__ inline Color shade(const Object* objects, float shift, int found, float distance, Ray& ray) {
  const Object& object = objects[found];
  const Vec point = along(ray.origin, distance, ray.direction);
  const Vec to_light = directed(minus(kLight, point)), back = directed(minus(ray.origin, point));
  const Vec center = center_of(object, shift);
  const Vec normal = object.is_floor ? directed(kUpwards) : directed(minus(point, center));
  const Vec facing = dot(back, normal) < 0.0f ? scaled(normal, -1.0f) : normal;

  Color color = added({0.0f, 0.0f, 0.0f, 0.0f}, 0.05f, object.color);
  const float cosine = dot(facing, to_light);
  if (cosine > 0.0f && is_lit(objects, shift, point, to_light)) {
    const Vec halfway = directed(plus(to_light, back));
    color = added(color, 0.3f * fminf(cosine, 1.0f), object.color);
    const float highlight = powf(fmaxf(fminf(dot(facing, halfway), 1.0f), 0.0f), 50.0f);
    color = added(color, kMirrored * highlight, {1.0f, 1.0f, 1.0f, 0.0f});
  }
  ray.direction = directed(minus(scaled(normal, 2.0f * dot(normal, back)), back));
  ray.origin = along(point, kStep, ray.direction);
  return color;
}

// The color seen along a ray: each level's own, and most of what the next one shows. `levels` is scratch.
__host__ __device__ inline Color trace(const Object* objects, float shift, Ray ray, Color* levels) {
  int hits = 0;
#pragma unroll 1
  for (int level = 0; level < kLevels && hits == level; ++level) {
    float nearest = kFar;
    int found = 0;
#pragma unroll 1
    for (int i = 0; i < kObjects; ++i) {
      const float distance = distance_to(objects[i], shift, ray.origin, ray.direction);
      if (distance > 0.0f && distance < nearest) {
        nearest = distance;
        found = i;
      }
    }
    if (nearest < kFar) {
      levels[level] = shade(objects, shift, found, nearest, ray);
      ++hits;
    }
  }
#pragma unroll 1
  for (int level = hits - 1; level > 0; --level) levels[level - 1] = added(levels[level - 1], kMirrored, levels[level]);
  return levels[0];
}

__host__ __device__ inline unsigned channel(float intensity) {
  return static_cast<unsigned>(fminf(fmaxf(intensity, 0.0f), 1.0f) * 255.0f);
}

// One pixel of the picture as 0xAABBGGRR. `distance` of the picture from the eye, for its half height.
__host__ __device__ inline unsigned pixel(const Object* objects, const View& view, int column, int row, int size,
                                          float shift, float distance) {
  Color levels[kLevels];
#pragma unroll 1
  for (int level = 0; level < kLevels; ++level) levels[level] = {0.0f, 0.0f, 0.0f, 1.0f};
  const float scale = 2.0f / static_cast<float>(size), middle = 0.5f * static_cast<float>(size);
  const float x = (static_cast<float>(column) - middle) * scale, y = (static_cast<float>(row) - middle) * scale;
  const Vec direction = along(along(scaled(view.forward, distance), x, view.right), y, view.up);
  const Color color = trace(objects, shift, {view.eye, directed(direction)}, levels);
  return channel(color.opacity) << 24 | channel(color.blue) << 16 | channel(color.green) << 8 | channel(color.red);
}

__global__ void render(unsigned* picture, int size, float shift, float distance) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= size || row >= size) return;
  picture[row * size + column] = 0;
  __syncthreads();
  picture[row * size + column] += pixel(device_objects, device_view, column, row, size, shift, distance);
}

std::vector<Object> make_objects() {
  return {{{0.0f, -1.5f, 0.0f}, 0.0f, {0.0f, 1.0f, 1.0f, 1.0f}, 1},
          {{-1.0f, 0.0f, -1.0f}, 0.5f, {1.0f, 0.0f, 0.0f, 1.0f}, 0},
          {{1.0f, 0.0f, -1.0f}, 0.5f, {0.0f, 0.0f, 1.0f, 1.0f}, 0},
          {{0.0f, 0.0f, -2.0f}, 0.75f, {0.0f, 1.0f, 0.0f, 1.0f}, 0}};
}

View make_view() {
  const Vec eye = {0.0f, 0.5f, 2.0f};
  const Vec forward = normalized(scaled(eye, -1.0f));  // to the origin
  const Vec right = normalized(cross(forward, kUpwards));
  return {forward, cross(right, forward), right, eye};
}

// How far channels of two pixels may be apart: reciprocal square roots and powers of a GPU are not the host's, and what
// reflections make of that falls on either side of a step of a channel.
bool are_alike(unsigned a, unsigned b) {
  for (int shift = 0; shift < 32; shift += 8)
    if (std::abs(static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255)) > 2) return false;
  return true;
}

// Fails if more than one in 500 pixels differ: rays that graze an edge may go either way.
void check(const std::vector<unsigned>& picture, const std::vector<unsigned>& expected) {
  std::size_t others = 0;
  for (std::size_t i = 0; i < picture.size(); ++i) others += !are_alike(picture[i], expected[i]);
  if (others > picture.size() / 500) workload::fail("%zu of %zu pixels differ", others, picture.size());
}

}  // namespace

int main(int argc, char** argv) {
  int size = 64;
  workload::Options("ray", "picture of reflecting spheres over a floor, checked against the host's")
      .number("--size", size, 1, 4096, "width and height of the picture in pixels")
      .parse(argc, argv);

  const std::vector<Object> objects = make_objects();
  const View view = make_view();
  const float distance = 1.5697f, shift = 0.0f;  // 65 degrees from the picture's lower to its upper edge
  CUDA_CHECK(cudaMemcpyToSymbol(device_objects, objects.data(), objects.size() * sizeof(Object)));
  CUDA_CHECK(cudaMemcpyToSymbol(device_view, &view, sizeof view));
  const workload::DeviceArray<unsigned> picture(static_cast<std::size_t>(size) * size);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + kBlockHeight - 1) / kBlockHeight);
  render<<<grid, block>>>(picture.get(), size, shift, distance);
  CUDA_CHECK(cudaGetLastError());

  std::vector<unsigned> expected;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      expected.push_back(pixel(objects.data(), view, column, row, size, shift, distance));
  check(picture.download(), expected);
  return workload::pass();
}
