// What the ray tracer looks at.
#pragma once

#include "../common/vector.h"

struct Sphere {
  Vec center;
  float radius_squared, inverse_radius;
  int surface;
  Vec color;
};

struct Triangle {
  Vec corner, side1, side2;
  Vec normal;  // unit length
};

constexpr int kMaxSpheres = 16;
constexpr int kTriangles = 20;
constexpr int kLights = 2;

struct Scene {
  int sphere_count;
  Sphere spheres[kMaxSpheres];
  Triangle triangles[kTriangles];  // an icosahedron
  Vec mesh_center, mesh_color;
  float mesh_radius_squared;  // of the sphere around the mesh
  float floor_height;
  Vec lights[kLights];
  Vec eye;  // looks along -z
};

// The icosahedron: its corners are (0, +-1, +-golden ratio) and the cyclic permutations, its edges are 2 long.
inline void add_mesh(Scene& scene, Vec center, float size) {
  const float golden = 0.5f * (1.0f + std::sqrt(5.0f));
  std::vector<Vec> corners;
  for (const float one : {-1.0f, 1.0f}) {
    for (const float ratio : {-golden, golden}) {
      corners.push_back({0.0f, one, ratio});
      corners.push_back({one, ratio, 0.0f});
      corners.push_back({ratio, 0.0f, one});
    }
  }
  const auto adjacent = [&](std::size_t a, std::size_t b) {
    const Vec edge = minus(corners[a], corners[b]);
    return std::fabs(dot(edge, edge) - 4.0f) < 0.1f;
  };
  int count = 0;
  for (std::size_t a = 0; a < corners.size(); ++a) {
    for (std::size_t b = a + 1; b < corners.size(); ++b) {
      for (std::size_t c = b + 1; c < corners.size(); ++c) {
        if (!adjacent(a, b) || !adjacent(b, c) || !adjacent(a, c)) continue;
        Triangle& triangle = scene.triangles[count++];
        triangle.corner = along(center, size, corners[a]);
        triangle.side1 = scaled(minus(corners[b], corners[a]), size);
        triangle.side2 = scaled(minus(corners[c], corners[a]), size);
        triangle.normal = normalized(cross(triangle.side1, triangle.side2));
        if (dot(triangle.normal, corners[a]) < 0.0f) triangle.normal = scaled(triangle.normal, -1.0f);
      }
    }
  }
  scene.mesh_center = center;
  scene.mesh_radius_squared = 1.001f * size * size * (1.0f + golden * golden);
  scene.mesh_color = {0.9f, 0.5f, 0.2f};
}

inline Scene make_scene(int matte, int mirror, int glass) {
  Scene scene = {};
  const auto add_sphere = [&](Vec center, float radius, int surface, Vec color) {
    scene.spheres[scene.sphere_count++] = {center, radius * radius, 1.0f / radius, surface, color};
  };
  add_sphere({-1.6f, 0.2f, -5.5f}, 1.2f, mirror, {0.9f, 0.9f, 0.9f});
  add_sphere({1.7f, 0.0f, -5.0f}, 1.0f, mirror, {0.9f, 0.8f, 0.4f});
  add_sphere({0.2f, -0.4f, -3.2f}, 0.6f, glass, {1.0f, 1.0f, 1.0f});
  add_sphere({-1.1f, -0.7f, -2.9f}, 0.3f, glass, {1.0f, 1.0f, 1.0f});
  for (int i = 0; i < 8; ++i) {  // a row of small ones in front
    const float x = -1.75f + 0.5f * static_cast<float>(i);
    const Vec color = {0.3f + 0.08f * static_cast<float>(i), 0.4f, 0.9f - 0.08f * static_cast<float>(i)};
    add_sphere({x, -0.85f, -3.6f - 0.4f * static_cast<float>(i % 3)}, 0.15f, i % 2 == 0 ? matte : mirror, color);
  }
  add_mesh(scene, {0.3f, 1.2f, -6.0f}, 0.6f);
  scene.floor_height = -1.0f;
  scene.lights[0] = {-4.0f, 6.0f, -1.0f};
  scene.lights[1] = {5.0f, 4.0f, 1.0f};
  scene.eye = {0.0f, 0.3f, 1.0f};
  return scene;
}
