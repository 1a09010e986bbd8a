// Maxwell's equations on the host: a standing wave in a box of metal, which is known, and the solver's scheme in double
// precision, one element after the other.
#pragma once

#include "mesh.h"

namespace dg {

constexpr int kFields = 6;  // Hx, Hy, Hz, Ex, Ey, Ez

using Field = std::array<double, kFields>;

inline Point magnetic(const Field& field) { return {field[0], field[1], field[2]}; }
inline Point electric(const Field& field) { return {field[3], field[4], field[5]}; }

// A standing wave of the lowest frequency that needs all three directions. Light has the speed 1.
inline Field cavity_wave(const Mesh& mesh, Point at, double time) {
  const Point k = std::acos(-1.0) * Point{1.0 / mesh.nx, 1.0 / mesh.ny, 1.0 / mesh.nz};
  const Point amplitude = cross(k, {1.0, -2.0, 0.5});  // across k, so that nothing flows out of a point
  const Point turned = cross(k, amplitude);
  const double frequency = std::sqrt(dot(k, k)), now = std::cos(frequency * time);
  const double later = std::sin(frequency * time) / frequency;
  const Point s = {std::sin(k.x * at.x), std::sin(k.y * at.y), std::sin(k.z * at.z)};
  const Point c = {std::cos(k.x * at.x), std::cos(k.y * at.y), std::cos(k.z * at.z)};
  return {-later * turned.x * s.x * c.y * c.z, -later * turned.y * c.x * s.y * c.z,
          -later * turned.z * c.x * c.y * s.z, now * amplitude.x * c.x * s.y * s.z,
          now * amplitude.y * s.x * c.y * s.z, now * amplitude.z * s.x * s.y * c.z};
}

// What flows through a face besides what the element itself sees, by upwinding (Hesthaven and Warburton, 10.5): `jump`
// is the field inside less that outside.
inline Field upwind_flux(Point normal, const Field& jump) {
  const Point h = magnetic(jump), e = electric(jump);
  const Point to_h = cross(normal, e) + dot(normal, h) * normal - h;
  const Point to_e = dot(normal, e) * normal - cross(normal, h) - e;
  return {to_h.x, to_h.y, to_h.z, to_e.x, to_e.y, to_e.z};
}

// The fields of all nodes, element by element.
using Fields = std::vector<Field>;

struct Problem {
  Mesh mesh;
  Simplex simplex = make_simplex();
  std::vector<int> neighbours = make_neighbours(mesh, simplex);
};

inline Fields wave_at_nodes(const Problem& problem, double time) {
  Fields fields;
  for (std::size_t e = 0; e < problem.mesh.elements.size(); ++e)
    for (const Lattice& node : problem.simplex.lattice)
      fields.push_back(cavity_wave(problem.mesh, position(problem.mesh, static_cast<int>(e), node), time));
  return fields;
}

// How the fields change at an element's nodes because they are not the same everywhere in it: curls.
inline void add_volume(const Problem& problem, int element, const Fields& fields, Fields& change) {
  const std::array<Point, 4> slopes = gradients(problem.mesh, element);
  for (int n = 0; n < kNodes; ++n) {
    Field& sum = change[element * kNodes + n];
    for (int m = 0; m < kNodes; ++m) {
      Point along{0.0, 0.0, 0.0};
      for (int i = 0; i < 3; ++i) along = along + problem.simplex.derivatives[i].at(n, m) * slopes[i + 1];
      const Field& field = fields[element * kNodes + m];
      const Point curl_h = cross(along, magnetic(field)), curl_e = cross(along, electric(field));
      const Field added{-curl_e.x, -curl_e.y, -curl_e.z, curl_h.x, curl_h.y, curl_h.z};
      for (int f = 0; f < kFields; ++f) sum[f] += added[f];
    }
  }
}

// And because its neighbours have other ones. Metal mirrors the electric field.
inline void add_surface(const Problem& problem, int element, const Fields& fields, Fields& change) {
  const std::array<Point, 4> slopes = gradients(problem.mesh, element);
  for (int m = 0; m < kAllFaceNodes; ++m) {
    const int face = m / kFaceNodes;
    const int inside = element * kNodes + problem.simplex.face_nodes[face][m % kFaceNodes];
    const int outside = problem.neighbours[element * kAllFaceNodes + m];
    const double scale = std::sqrt(dot(slopes[face], slopes[face]));
    Field jump;
    for (int f = 0; f < kFields; ++f)
      jump[f] = fields[inside][f] - (outside == inside && f >= 3 ? -1.0 : 1.0) * fields[outside][f];
    const Field flux = upwind_flux((-1.0 / scale) * slopes[face], jump);
    for (int n = 0; n < kNodes; ++n)
      for (int f = 0; f < kFields; ++f)
        change[element * kNodes + n][f] += 0.5 * scale * problem.simplex.lift[n * kAllFaceNodes + m] * flux[f];
  }
}

// The low-storage Runge-Kutta scheme of five stages (Carpenter and Kennedy, NASA TM 109112, 1994).
constexpr int kStages = 5;
constexpr double kKeep[kStages] = {0.0, -567301805773.0 / 1357537059087.0, -2404267990393.0 / 2016746695238.0,
                                   -3550918686646.0 / 2091501179385.0, -1275806237668.0 / 842570457699.0};
constexpr double kAdd[kStages] = {1432997174477.0 / 9575080441755.0, 5161836677717.0 / 13612068292357.0,
                                  1720146321549.0 / 2090206949498.0, 3134564353537.0 / 4481467310338.0,
                                  2277821191437.0 / 14882151754819.0};

// So short that what a face lets in, at the speed of light, does not cross the flattest element within it.
inline double time_step(const Mesh& mesh) {
  double steepest = 0.0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    for (const Point slope : gradients(mesh, static_cast<int>(e))) steepest = std::max(steepest, dot(slope, slope));
  return 1.0 / (std::sqrt(steepest) * kOrder * kOrder);
}

inline Fields reference(const Problem& problem, Fields fields, int stages) {
  const double duration = time_step(problem.mesh);
  Fields increments(fields.size(), Field{});
  for (int stage = 0; stage < stages; ++stage) {
    Fields change(fields.size(), Field{});
    for (int e = 0; e < static_cast<int>(problem.mesh.elements.size()); ++e) {
      add_volume(problem, e, fields, change);
      add_surface(problem, e, fields, change);
    }
    for (std::size_t n = 0; n < fields.size(); ++n)
      for (int f = 0; f < kFields; ++f) {
        increments[n][f] = kKeep[stage % kStages] * increments[n][f] + duration * change[n][f];
        fields[n][f] += kAdd[stage % kStages] * increments[n][f];
      }
  }
  return fields;
}

}  // namespace dg
