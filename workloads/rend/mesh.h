// The mesh that is rendered, a tube around a torus knot, and the hierarchy of bounding boxes over its triangles.
#pragma once

#include <algorithm>

#include "../common/vector.h"

struct Triangle {
  Vec corner, side1, side2;
  Vec normal, normal1, normal2;  // of the surface: at the corner, at the end of side1, at the end of side2
  float grazing;                 // rays whose determinant is smaller pass by: their distance would be mostly error
};

// A box with what lies in it: two boxes, `first` and `first` + 1, or, for count > 0, so many triangles from `first` on.
struct Box {
  Vec low, high;
  int first, count;
};

struct Mesh {
  std::vector<Triangle> triangles;
  std::vector<Box> boxes;  // 0 holds everything
};

constexpr int kMaxDepth = 24;     // of the hierarchy: 2 * 1024 * 256 triangles halved down to leaves take 18
constexpr int kLeaf = 4;          // triangles that one box may hold
constexpr float kMargin = 2e-3f;  // of every box, more than the error of a hit's distance

// Point of a (2, 3) torus knot, t in [0, 1).
inline Vec knot(double t) {
  const double angle = 2 * 3.14159265358979323846 * t, radius = 1 + 0.45 * std::cos(3 * angle);
  return {static_cast<float>(radius * std::cos(2 * angle)), static_cast<float>(radius * std::sin(2 * angle)),
          static_cast<float>(0.45 * std::sin(3 * angle))};
}

// The tube: `segments` rings of `sides` corners around the knot, two triangles between neighbours.
inline std::vector<Triangle> make_tube(int segments, int sides) {
  std::vector<Vec> corners, normals;
  for (int ring = 0; ring < segments; ++ring) {
    const double t = static_cast<double>(ring) / segments;
    const Vec center = knot(t), tangent = normalized(minus(knot(t + 1e-3), knot(t - 1e-3)));
    const Vec side = normalized(cross(tangent, center)), up = cross(side, tangent);  // the knot winds around (0, 0, 0)
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * 3.14159265358979323846 * i / sides;
      const Vec out =
          plus(scaled(side, static_cast<float>(std::cos(angle))), scaled(up, static_cast<float>(std::sin(angle))));
      corners.push_back(along(center, 0.22f, out));
      normals.push_back(out);
    }
  }
  std::vector<Triangle> triangles;
  const auto add = [&](int a, int b, int c) {
    const Vec side1 = minus(corners[b], corners[a]), side2 = minus(corners[c], corners[a]);
    const float grazing = 1e-3f * std::sqrt(dot(side1, side1) * dot(side2, side2));
    triangles.push_back({corners[a], side1, side2, normals[a], normals[b], normals[c], grazing});
  };
  for (int ring = 0; ring < segments; ++ring) {
    for (int i = 0; i < sides; ++i) {
      const int here = ring * sides, there = (ring + 1) % segments * sides, next = (i + 1) % sides;
      add(here + i, there + i, there + next);
      add(here + i, there + next, here + next);
    }
  }
  return triangles;
}

inline Vec center(const Triangle& triangle) {
  return along(triangle.corner, 1.0f / 3.0f, plus(triangle.side1, triangle.side2));
}

// The hierarchy, from the top down: the longest side of a box is cut where half of its triangles lie on either side.
class HierarchyBuilder {
 public:
  explicit HierarchyBuilder(Mesh& mesh) : mesh_(mesh) {
    mesh.boxes.resize(1);
    fill(0, 0, static_cast<int>(mesh.triangles.size()));
  }

 private:
  // Makes box number `box` hold triangles begin to end - 1, which are put into a new order.
  void fill(int box, int begin, int end) {
    Vec low = {1e30f, 1e30f, 1e30f}, high = {-1e30f, -1e30f, -1e30f};
    for (int i = begin; i < end; ++i) {
      const Triangle& triangle = mesh_.triangles[i];
      for (const Vec point :
           {triangle.corner, plus(triangle.corner, triangle.side1), plus(triangle.corner, triangle.side2)}) {
        low = smallest(low, point);
        high = largest(high, point);
      }
    }
    const Vec margin = {kMargin, kMargin, kMargin};
    mesh_.boxes[box] = {minus(low, margin), plus(high, margin), begin, end - begin};
    if (end - begin <= kLeaf) return;

    const Vec size = minus(high, low);
    float Vec::*const axis = size.x >= size.y && size.x >= size.z ? &Vec::x : size.y >= size.z ? &Vec::y : &Vec::z;
    const int middle = (begin + end) / 2, children = static_cast<int>(mesh_.boxes.size());
    std::nth_element(mesh_.triangles.begin() + begin, mesh_.triangles.begin() + middle, mesh_.triangles.begin() + end,
                     [&](const Triangle& a, const Triangle& b) { return center(a).*axis < center(b).*axis; });
    mesh_.boxes.resize(mesh_.boxes.size() + 2);
    mesh_.boxes[box].first = children;
    mesh_.boxes[box].count = 0;
    fill(children, begin, middle);
    fill(children + 1, middle, end);
  }

  Mesh& mesh_;
};

inline Mesh make_mesh(int segments, int sides) {
  Mesh mesh{make_tube(segments, sides), {}};
  HierarchyBuilder{mesh};
  return mesh;
}
