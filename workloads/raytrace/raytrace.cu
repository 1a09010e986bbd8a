// A ray tracer: spheres, a triangle mesh and a floor, with shadows, mirrors and glass: RAY and REND of the multi-path
// paper's Table 1.
//
// Control flow is as unstructured as rays are: intersection loops with several early outs, an any-hit loop that
// returns from its middle, a switch over what was hit, and recursion turned into a loop with exits of its own.
#include "scene.h"

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ Scene device_scene;

namespace {

constexpr int kBlockWidth = 16, kBlockHeight = 8;  // 128 threads, as RAY
constexpr float kNear = 1e-3f;                     // hits closer than this are the surface the ray leaves
constexpr float kFar = 1e30f;

enum Surface { kSky, kMatte, kMirror, kGlass, kFloor };

struct Hit {
  float distance;
  int surface;
  Vec normal;  // unit length, out of the solid
  Vec color;
};

// Distance to a sphere along a ray of unit direction; kFar for a miss.
__host__ __device__ inline float sphere_distance(Vec origin, Vec direction, Vec center, float radius_squared) {
  const Vec from_center = minus(origin, center);
  const float b = dot(from_center, direction);
  const float c = dot(from_center, from_center) - radius_squared;
  if (c > 0.0f && b > 0.0f) return kFar;  // outside and leaving
  const float discriminant = fmaf(b, b, -c);
  if (discriminant < 0.0f) return kFar;
  const float root = sqrtf(discriminant);
  const float front = -b - root;
  if (front > kNear) return front;
  const float back = root - b;
  return back > kNear ? back : kFar;
}

// Distance to a triangle (Moeller and Trumbore 1997); kFar for a miss.
__host__ __device__ inline float triangle_distance(Vec origin, Vec direction, const Triangle& triangle) {
  const Vec p = cross(direction, triangle.side2);
  const float determinant = dot(triangle.side1, p);
  if (determinant > -1e-7f && determinant < 1e-7f) return kFar;
  const float inverse = 1.0f / determinant;
  const Vec s = minus(origin, triangle.corner);
  const float u = dot(s, p) * inverse;
  if (u < 0.0f || u > 1.0f) return kFar;
  const Vec q = cross(s, triangle.side1);
  const float v = dot(direction, q) * inverse;
  if (v < 0.0f || u + v > 1.0f) return kFar;
  const float distance = dot(triangle.side2, q) * inverse;
  return distance > kNear ? distance : kFar;
}

__host__ __device__ inline Hit nearest_hit(const Scene& scene, Vec origin, Vec direction) {
  float nearest = kFar;
  int sphere = -1, triangle = -1;
  for (int i = 0; i < scene.sphere_count; ++i) {
    const float distance = sphere_distance(origin, direction, scene.spheres[i].center, scene.spheres[i].radius_squared);
    if (distance >= nearest) continue;
    nearest = distance;
    sphere = i;
  }
  if (sphere_distance(origin, direction, scene.mesh_center, scene.mesh_radius_squared) < nearest) {
    for (int i = 0; i < kTriangles; ++i) {
      const float distance = triangle_distance(origin, direction, scene.triangles[i]);
      if (distance >= nearest) continue;
      nearest = distance;
      triangle = i;
    }
  }

  const float to_floor = direction.y < -1e-6f ? (scene.floor_height - origin.y) / direction.y : kFar;
  if (to_floor > kNear && to_floor < nearest) {
    const float x = fmaf(to_floor, direction.x, origin.x), z = fmaf(to_floor, direction.z, origin.z);
    const bool light = ((static_cast<int>(floorf(x)) + static_cast<int>(floorf(z))) & 1) == 0;
    return {to_floor, kFloor, {0.0f, 1.0f, 0.0f}, light ? Vec{0.9f, 0.9f, 0.85f} : Vec{0.15f, 0.2f, 0.25f}};
  }
  if (triangle >= 0) return {nearest, kMatte, scene.triangles[triangle].normal, scene.mesh_color};
  if (sphere < 0) return {kFar, kSky, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
  const Sphere& found = scene.spheres[sphere];
  const Vec normal = scaled(minus(along(origin, nearest, direction), found.center), found.inverse_radius);
  return {nearest, found.surface, normal, found.color};
}

// Whether anything but glass lies between a point and the light.
__host__ __device__ inline bool in_shadow(const Scene& scene, Vec point, Vec to_light, float light_distance) {
  for (int i = 0; i < scene.sphere_count; ++i) {
    if (scene.spheres[i].surface == kGlass) continue;
    if (sphere_distance(point, to_light, scene.spheres[i].center, scene.spheres[i].radius_squared) < light_distance)
      return true;
  }
  if (sphere_distance(point, to_light, scene.mesh_center, scene.mesh_radius_squared) >= light_distance) return false;
  for (int i = 0; i < kTriangles; ++i)
    if (triangle_distance(point, to_light, scene.triangles[i]) < light_distance) return true;
  return false;
}

// Light that a surface point throws back: ambient, and from every visible light a diffuse and a glossy part.
__host__ __device__ inline Vec shade(const Scene& scene, const Hit& hit, Vec point, Vec direction) {
  Vec light = scaled(hit.color, 0.15f);
  for (int i = 0; i < kLights; ++i) {
    const Vec to_light = minus(scene.lights[i], point);
    const float distance = sqrtf(dot(to_light, to_light));
    const Vec toward = scaled(to_light, 1.0f / distance);
    const float cosine = dot(toward, hit.normal);
    if (cosine <= 0.0f) continue;
    if (in_shadow(scene, point, toward, distance)) continue;
    light = along(light, 0.5f * cosine, hit.color);
    const float gloss = dot(reflected(direction, hit.normal), toward);
    if (gloss > 0.5f) {
      const float to_4 = gloss * gloss * gloss * gloss;
      const float to_32 = to_4 * to_4 * to_4 * to_4 * to_4 * to_4 * to_4 * to_4;
      light = along(light, 0.4f * to_32, {1.0f, 1.0f, 1.0f});
    }
  }
  return light;
}

// The direction in which a ray goes on through glass, or back into it when it is reflected totally.
__host__ __device__ inline Vec refracted(Vec direction, Vec normal) {
  float cosine = -dot(normal, direction);
  float index = 1.0f / 1.5f;
  if (cosine < 0.0f) {  // leaving the glass
    index = 1.5f;
    cosine = -cosine;
    normal = scaled(normal, -1.0f);
  }
  const float left = fmaf(-index * index, fmaf(-cosine, cosine, 1.0f), 1.0f);
  if (left < 0.0f) return reflected(direction, normal);
  return along(scaled(direction, index), fmaf(index, cosine, -sqrtf(left)), normal);
}

// The color seen along a ray that may be mirrored or refracted `bounces` times.
__host__ __device__ inline Vec trace(const Scene& scene, Vec origin, Vec direction, int bounces) {
  Vec color = {0.0f, 0.0f, 0.0f};
  float weight = 1.0f;
  for (int bounce = 0;; ++bounce) {
    const Hit hit = nearest_hit(scene, origin, direction);
    const Vec point = along(origin, hit.distance, direction);
    switch (hit.surface) {
      case kSky:
        return along(color, weight, along({0.5f, 0.6f, 0.8f}, 0.3f * direction.y, {0.2f, 0.3f, 0.5f}));
      case kMatte:
        return along(color, weight, shade(scene, hit, point, direction));
      case kFloor:  // a little polished
        color = along(color, 0.8f * weight, shade(scene, hit, point, direction));
        weight *= 0.2f;
        direction = reflected(direction, hit.normal);
        break;
      case kMirror:
        color = along(color, 0.3f * weight, shade(scene, hit, point, direction));
        weight *= 0.7f;
        direction = reflected(direction, hit.normal);
        break;
      case kGlass:
        weight *= 0.9f;
        direction = refracted(direction, hit.normal);
        break;
    }
    if (bounce == bounces || weight < 0.02f) return color;
    direction = normalized(direction);
    origin = point;
  }
}

__host__ __device__ inline unsigned channel(float intensity) {
  return static_cast<unsigned>(fmaf(fminf(fmaxf(intensity, 0.0f), 1.0f), 255.0f, 0.5f));
}

// One pixel of the picture as 0x00RRGGBB.
__host__ __device__ inline unsigned pixel(const Scene& scene, int column, int row, int size, int bounces) {
  const float scale = 2.0f / static_cast<float>(size);
  const float x = fmaf(static_cast<float>(column) + 0.5f, scale, -1.0f);
  const float y = fmaf(static_cast<float>(row) + 0.5f, -scale, 1.0f);
  const Vec color = trace(scene, scene.eye, normalized({x, y, -1.8f}), bounces);
  return channel(color.x) << 16 | channel(color.y) << 8 | channel(color.z);
}

__global__ void raytrace(unsigned* picture, int size, int bounces) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column < size && row < size) picture[row * size + column] = pixel(device_scene, column, row, size, bounces);
}

void write_picture(const std::string& path, const std::vector<unsigned>& picture, int size) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) workload::fail("cannot write %s: give --picture a file in a folder that exists", path.c_str());
  std::fprintf(file, "P6\n%d %d\n255\n", size, size);
  for (const unsigned color : picture)
    for (const int shift : {16, 8, 0}) std::fputc(static_cast<int>(color >> shift & 255), file);
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  int size = 64, bounces = 4;
  std::string path;
  workload::Options("raytrace", "picture of spheres, a mesh and a floor, checked exactly")
      .number("--size", size, 1, 4096, "width and height of the picture in pixels")
      .number("--bounces", bounces, 0, 100, "how often a ray may be mirrored or refracted")
      .text("--picture", path, "write the picture to this file (PPM)")
      .parse(argc, argv);

  const Scene scene = make_scene(kMatte, kMirror, kGlass);
  CUDA_CHECK(cudaMemcpyToSymbol(device_scene, &scene, sizeof scene));
  const workload::DeviceArray<unsigned> device_picture(static_cast<std::size_t>(size) * size);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid((size + kBlockWidth - 1) / kBlockWidth, (size + kBlockHeight - 1) / kBlockHeight);
  raytrace<<<grid, block>>>(device_picture.get(), size, bounces);
  CUDA_CHECK(cudaGetLastError());

  const std::vector<unsigned> picture = device_picture.download();
  std::vector<unsigned> expected;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) expected.push_back(pixel(scene, column, row, size, bounces));
  if (!path.empty()) write_picture(path, picture, size);
  workload::expect_equal("pixels", picture, expected);
  return workload::pass();
}
