// A box of unit cubes, cut into tetrahedra, and what the solver must know of each: its shape and its neighbours.
#pragma once

#include <algorithm>
#include <map>

#include "simplex.h"

namespace dg {

struct Point {
  double x, y, z;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
inline Point cross(Point a, Point b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

using Corners = std::array<int, 4>;  // of an element, as indices of points

struct Mesh {
  int nx, ny, nz;  // cubes
  std::vector<Point> points;
  std::vector<Corners> elements;
};

// Adds an element; two corners change places if it would be inside out.
inline void add_element(Mesh& mesh, Corners corners) {
  const auto edge = [&](int i) { return mesh.points[corners[i]] - mesh.points[corners[0]]; };
  if (dot(cross(edge(1), edge(2)), edge(3)) < 0.0) std::swap(corners[2], corners[3]);
  mesh.elements.push_back(corners);
}

// Cuts a cube: `corner` maps three bits, one for x, y and z, to a point. In every second cube the diagonals of the
// faces join corners with an odd number of bits, in the others those with an even one, so that neighbours agree.
inline void cut_into_five(Mesh& mesh, const std::array<int, 8>& corner, int flip) {
  for (const int tip : {0, 3, 5, 6})
    add_element(mesh, {corner[tip ^ flip], corner[tip ^ flip ^ 1], corner[tip ^ flip ^ 2], corner[tip ^ flip ^ 4]});
  add_element(mesh, {corner[1 ^ flip], corner[2 ^ flip], corner[4 ^ flip], corner[7 ^ flip]});
}

// The same faces, each of whose halves is joined to the middle of the cube.
inline void cut_into_twelve(Mesh& mesh, const std::array<int, 8>& corner, int flip) {
  const Point middle = 0.5 * (mesh.points[corner[0]] + mesh.points[corner[7]]);
  const int center = static_cast<int>(mesh.points.size());
  mesh.points.push_back(middle);
  for (const int tip : {0, 3, 5, 6})
    for (const int normal : {1, 2, 4}) {
      const int one = normal == 1 ? 2 : 1, other = normal == 4 ? 2 : 4;
      add_element(mesh, {corner[tip ^ flip], corner[tip ^ flip ^ one], corner[tip ^ flip ^ other], center});
    }
}

// A box of size x size x (size - 1) cubes. Every cube gives 5 elements, but `size` of them, on a diagonal of the lowest
// layer, 12: with a size of 4 these are 268, as many as the original's mesh has.
inline Mesh make_box(int size) {
  Mesh mesh{size, size, std::max(1, size - 1), {}, {}};
  const auto point = [&](int i, int j, int k) { return (k * (mesh.ny + 1) + j) * (mesh.nx + 1) + i; };
  for (int k = 0; k <= mesh.nz; ++k)
    for (int j = 0; j <= mesh.ny; ++j)
      for (int i = 0; i <= mesh.nx; ++i) mesh.points.push_back({double(i), double(j), double(k)});
  for (int k = 0; k < mesh.nz; ++k)
    for (int j = 0; j < mesh.ny; ++j)
      for (int i = 0; i < mesh.nx; ++i) {
        std::array<int, 8> corner;
        for (int bits = 0; bits < 8; ++bits) corner[bits] = point(i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2));
        const int flip = (i + j + k) % 2 == 0 ? 0 : 1;
        if (k == 0 && i == j)
          cut_into_twelve(mesh, corner, flip);
        else
          cut_into_five(mesh, corner, flip);
      }
  return mesh;
}

inline Point position(const Mesh& mesh, int element, const Lattice& node) {
  Point sum{0.0, 0.0, 0.0};
  for (int i = 0; i < 4; ++i) sum = sum + node[i] / double(kOrder) * mesh.points[mesh.elements[element][i]];
  return sum;
}

// How each of an element's four barycentric coordinates changes in space. They point away from the opposite face, and
// are as long as one by the height over it, which is the face's area by three times the volume.
inline std::array<Point, 4> gradients(const Mesh& mesh, int element) {
  const Corners& corners = mesh.elements[element];
  std::array<Point, 4> result;
  for (int i = 0; i < 4; ++i) {
    const Point &a = mesh.points[corners[(i + 1) % 4]], &b = mesh.points[corners[(i + 2) % 4]],
                &c = mesh.points[corners[(i + 3) % 4]];
    const Point normal = cross(b - a, c - a);
    result[i] = (1.0 / dot(normal, mesh.points[corners[i]] - a)) * normal;
  }
  return result;
}

// The node on the other side of every face node, as element * kNodes + node; the own node where there is no other side.
inline std::vector<int> make_neighbours(const Mesh& mesh, const Simplex& simplex) {
  using Key = std::vector<std::pair<int, int>>;  // corners and how near the node lies to each, in order
  std::map<std::pair<std::array<int, 3>, Key>, std::vector<int>> meetings;
  std::vector<int> neighbours;
  for (std::size_t pass = 0; pass < 2; ++pass)
    for (std::size_t e = 0; e < mesh.elements.size(); ++e)
      for (int face = 0; face < kFaces; ++face)
        for (const int n : simplex.face_nodes[face]) {
          std::array<int, 3> corners;
          Key key;
          for (int i = 0, k = 0; i < 4; ++i) {
            if (i == face) continue;
            corners[k++] = mesh.elements[e][i];
            key.emplace_back(mesh.elements[e][i], simplex.lattice[n][i]);
          }
          std::sort(corners.begin(), corners.end());
          std::sort(key.begin(), key.end());
          const int own = static_cast<int>(e) * kNodes + n;
          std::vector<int>& meeting = meetings[{corners, key}];
          if (pass == 0)
            meeting.push_back(own);
          else
            neighbours.push_back(meeting.front() == own ? meeting.back() : meeting.front());
        }
  return neighbours;
}

}  // namespace dg
