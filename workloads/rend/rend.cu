// Real-time ray tracing of a triangle mesh: REND of the multi-path paper's Table 1. One thread a pixel: the nearest
// triangle along the ray, by a hierarchy of bounding boxes, shadows, and reflections; a launch per picture.
//
// Rays that miss the mesh end at once, others walk the hierarchy for long: warps of one launch do very different
// amounts of work, and lanes leave the walk from the middle of loops.
#include "mesh.h"

namespace {

constexpr int kBlockWidth = 8, kBlockHeight = 16;
constexpr float kNear = 1e-3f;  // hits closer than this are the surface the ray leaves
constexpr float kFar = 1e30f;   // beyond every hit
constexpr float kMiss = 2e30f;  // of a box: farther than any limit
constexpr int kLights = 2;

struct Hit {
  float distance;
  int triangle;  // -1: none
  float u, v;    // where on the triangle
};

struct Ray {
  Vec origin, direction;  // of unit length
};

// What one thread needs.
struct Scene {
  const Triangle* triangles;
  const Box* boxes;
  int triangle_count;
  Vec eye, right, up, forward;  // of the camera; unit length
  Vec lights[kLights];
};

// Whether a ray meets a triangle nearer than `hit`, of equally near ones the one of the lower number, whatever order
// they are tried in (Moeller and Trumbore 1997). If so, changes `hit`.
__host__ __device__ inline bool meet(const Scene& scene, const Ray& ray, int number, Hit& hit) {
  const Triangle& triangle = scene.triangles[number];
  const Vec p = cross(ray.direction, triangle.side2);
  const float determinant = dot(triangle.side1, p);
  if (fabsf(determinant) < triangle.grazing) return false;
  const float inverse = 1.0f / determinant;
  const Vec s = minus(ray.origin, triangle.corner);
  const float u = dot(s, p) * inverse;
  if (u < 0.0f || u > 1.0f) return false;
  const Vec q = cross(s, triangle.side1);
  const float v = dot(ray.direction, q) * inverse;
  if (v < 0.0f || u + v > 1.0f) return false;
  const float distance = dot(triangle.side2, q) * inverse;
  if (distance < kNear || distance > hit.distance) return false;
  if (distance == hit.distance && number > hit.triangle) return false;
  hit = {distance, number, u, v};
  return true;
}

// Distance at which a ray enters a box; kMiss if it does not.
__host__ __device__ inline float entry(const Box& box, Vec origin, Vec inverse) {
  const Vec low = {(box.low.x - origin.x) * inverse.x, (box.low.y - origin.y) * inverse.y,
                   (box.low.z - origin.z) * inverse.z};
  const Vec high = {(box.high.x - origin.x) * inverse.x, (box.high.y - origin.y) * inverse.y,
                    (box.high.z - origin.z) * inverse.z};
  const Vec in = smallest(low, high), out = largest(low, high);
  const float enter = fmaxf(fmaxf(in.x, in.y), fmaxf(in.z, 0.0f));
  return enter <= fminf(out.x, fminf(out.y, out.z)) ? enter : kMiss;
}

// Finds hits by the hierarchy, nearer boxes first.
struct ByHierarchy {
  // The nearest hit not farther than `farthest`; with `any`, the first one found.
  template <bool any>
  __host__ __device__ static Hit find(const Scene& scene, const Ray& ray, float farthest) {
    const Vec inverse = {1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
    Hit hit = {farthest, -1, 0.0f, 0.0f};
    if (entry(scene.boxes[0], ray.origin, inverse) > farthest) return hit;
    int stack[kMaxDepth], height = 0, number = 0;
    while (true) {
      const Box& box = scene.boxes[number];
      if (box.count > 0) {
        for (int i = box.first; i < box.first + box.count; ++i)
          if (meet(scene, ray, i, hit) && any) return hit;
      } else {
        const float left = entry(scene.boxes[box.first], ray.origin, inverse);
        const float right = entry(scene.boxes[box.first + 1], ray.origin, inverse);
        if (left <= hit.distance && right <= hit.distance) {
          const bool left_first = left <= right;
          stack[height++] = box.first + (left_first ? 1 : 0);
          number = box.first + (left_first ? 0 : 1);
          continue;
        } else if (left <= hit.distance) {
          number = box.first;
          continue;
        } else if (right <= hit.distance) {
          number = box.first + 1;
          continue;
        }
      }
      if (height == 0) return hit;
      number = stack[--height];
    }
  }
};

// Finds hits by trying every triangle: the reference for ByHierarchy.
struct ByTrial {
  template <bool any>
  static Hit find(const Scene& scene, const Ray& ray, float farthest) {
    Hit hit = {farthest, -1, 0.0f, 0.0f};
    for (int i = 0; i < scene.triangle_count; ++i) meet(scene, ray, i, hit);
    return hit;
  }
};

// Light that a surface point throws back: ambient, and from every light in sight a diffuse and a glossy part.
template <class Finder>
__host__ __device__ inline float shade(const Scene& scene, Vec point, Vec normal, Vec direction) {
  float light = 0.15f;
  for (int i = 0; i < kLights; ++i) {
    const Vec to_light = minus(scene.lights[i], point);
    const float distance = sqrtf(dot(to_light, to_light));
    const Vec toward = scaled(to_light, 1.0f / distance);
    const float cosine = dot(toward, normal);
    if (cosine <= 0.0f) continue;
    if (Finder::template find<true>(scene, {point, toward}, distance).triangle >= 0) continue;
    light = fmaf(0.4f, cosine, light);
    const float gloss = dot(reflected(direction, normal), toward);
    if (gloss > 0.5f) {
      const float to_4 = gloss * gloss * gloss * gloss;
      light = fmaf(0.3f, to_4 * to_4 * to_4 * to_4, light);
    }
  }
  return light;
}

// Brightness seen along a ray that may be reflected `bounces` times.
template <class Finder>
__host__ __device__ inline float trace(const Scene& scene, Ray ray, int bounces) {
  float brightness = 0.0f, weight = 1.0f;
  for (int bounce = 0;; ++bounce) {
    const Hit hit = Finder::template find<false>(scene, ray, kFar);
    if (hit.triangle < 0) return fmaf(weight, 0.1f, brightness);
    const Triangle& triangle = scene.triangles[hit.triangle];
    Vec normal = scaled(triangle.normal, 1.0f - hit.u - hit.v);
    normal = normalized(along(along(normal, hit.u, triangle.normal1), hit.v, triangle.normal2));
    if (dot(normal, ray.direction) > 0.0f) normal = scaled(normal, -1.0f);
    const Vec point = along(ray.origin, hit.distance, ray.direction);
    brightness = fmaf(0.7f * weight, shade<Finder>(scene, point, normal, ray.direction), brightness);
    if (bounce == bounces) return brightness;
    weight *= 0.3f;
    ray = {point, normalized(reflected(ray.direction, normal))};
  }
}

// One pixel's brightness in 65,536 steps.
template <class Finder>
__host__ __device__ inline int pixel(const Scene& scene, int column, int row, int size, int bounces) {
  const float scale = 1.0f / static_cast<float>(size);
  const float x = fmaf(static_cast<float>(column) + 0.5f, scale, -0.5f);
  const float y = fmaf(static_cast<float>(row) + 0.5f, -scale, 0.5f);
  const Vec direction = normalized(along(along(scene.forward, x, scene.right), y, scene.up));
  return static_cast<int>(fminf(trace<Finder>(scene, {scene.eye, direction}, bounces), 1.0f) * 65535.0f);
}

__global__ void render(int* picture, Scene scene, int size, int bounces) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column < size && row < size) picture[row * size + column] = pixel<ByHierarchy>(scene, column, row, size, bounces);
}

// The camera circles around the mesh, 10 degrees a picture.
Scene look(const Triangle* triangles, const Box* boxes, int triangle_count, int frame) {
  const float angle = 0.6f + 0.17453293f * static_cast<float>(frame);
  const Vec forward = {-std::sin(angle) * 0.94f, -0.34f, -std::cos(angle) * 0.94f};
  const Vec right = normalized(cross(forward, {0.0f, 1.0f, 0.0f}));
  return {triangles,      boxes,
          triangle_count, scaled(forward, -4.0f),
          right,          cross(right, forward),
          forward,        {{-4.0f, 6.0f, 3.0f}, {5.0f, 4.0f, -2.0f}}};
}

// Every pixel must be the host's by the same hierarchy, and each `stride`-th the one found by trying all triangles.
void check(const std::vector<int>& picture, const Scene& scene, int size, int bounces, int stride) {
  std::vector<int> expected, some, tried;
  for (int i = 0; i < size * size; ++i) {
    expected.push_back(pixel<ByHierarchy>(scene, i % size, i / size, size, bounces));
    if (i % stride != 0) continue;
    some.push_back(picture[i]);
    tried.push_back(pixel<ByTrial>(scene, i % size, i / size, size, bounces));
  }
  workload::expect_equal("pixels", picture, expected);
  workload::expect_equal("pixels tried with all triangles", some, tried);
}

void write_picture(const std::string& path, const std::vector<int>& picture, int size) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) workload::fail("cannot write %s: give --picture a file in a folder that exists", path.c_str());
  std::fprintf(file, "P5\n%d %d\n255\n", size, size);
  for (const int brightness : picture) std::fputc(brightness >> 8, file);
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  int size = 48, segments = 96, sides = 8, bounces = 1, frames = 1;
  std::string path;
  workload::Options("rend", "ray-traced pictures of a triangle mesh, checked exactly")
      .number("--size", size, 1, 4096, "width and height of a picture in pixels")
      .number("--segments", segments, 8, 1024, "rings of the mesh, 2 x sides triangles each")
      .number("--sides", sides, 3, 256, "corners of a ring")
      .number("--bounces", bounces, 0, 100, "how often a ray may be reflected")
      .number("--frames", frames, 1, 36, "pictures, from cameras around the mesh")
      .text("--picture", path, "write the last picture to this file (PGM)")
      .parse(argc, argv);

  const Mesh mesh = make_mesh(segments, sides);
  const int triangle_count = static_cast<int>(mesh.triangles.size());
  const workload::DeviceArray<Triangle> triangles(mesh.triangles);
  const workload::DeviceArray<Box> boxes(mesh.boxes);
  const workload::DeviceArray<int> device_picture(static_cast<std::size_t>(size) * size);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + kBlockHeight - 1) / kBlockHeight);
  const int stride = 1 + size * size / 4096;
  for (int frame = 0; frame < frames; ++frame) {
    render<<<grid, block>>>(device_picture.get(), look(triangles.get(), boxes.get(), triangle_count, frame), size,
                            bounces);
    CUDA_CHECK(cudaGetLastError());
    const std::vector<int> picture = device_picture.download();
    if (!path.empty()) write_picture(path, picture, size);
    check(picture, look(mesh.triangles.data(), mesh.boxes.data(), triangle_count, frame), size, bounces, stride);
  }
  return workload::pass();
}
