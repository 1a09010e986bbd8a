// The fluid of fluidanimate: its particles, the grid of cells that finds neighbours, and the forces between two of them
// (smoothed particle hydrodynamics of Mueller, Charypar and Gross 2003), in single precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace fluidanimate {

struct Vector {
  float x, y, z;
};

inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(float factor, Vector a) { return {factor * a.x, factor * a.y, factor * a.z}; }
inline float square(Vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

constexpr float kSpacing = 0.005f;    // m between particles at rest
constexpr float kRestDensity = 1000;  // kg/m^3, water
constexpr float kMass = kRestDensity * kSpacing * kSpacing * kSpacing;
constexpr float kReach = 1.7f * kSpacing;                     // of a particle's influence
constexpr float kStiffness = 1.5f;                            // Pa m^3/kg: pressure for density above that at rest
constexpr float kViscosity = 0.4f;                            // Pa s
constexpr float kTimeStep = 0.002f;                           // s
constexpr Vector kGravity = {0, -9.8f, 0};                    // m/s^2
constexpr float kWallReach = 0.5f * kSpacing;                 // m from a wall at which it begins to push
constexpr float kWallStiffness = 300000, kWallDamping = 256;  // 1/s^2, 1/s

constexpr int kNone = -1;

struct Particle {
  Vector position, velocity, acceleration;
  float density;
  int next;  // in its cell, or kNone
};

// A cube of cells, each at least as wide as a particle reaches.
struct Grid {
  explicit Grid(float width) : cells(std::max(1, static_cast<int>(width / kReach))), cell_width(width / cells) {}

  int index(int x, int y, int z) const { return (z * cells + y) * cells + x; }
  int coordinate(float position) const { return std::clamp(static_cast<int>(position / cell_width), 0, cells - 1); }
  int cell_of(Vector position) const {
    return index(coordinate(position.x), coordinate(position.y), coordinate(position.z));
  }

  int cells;  // a side
  float cell_width;
};

// What two particles at this squared distance add to each other's density, but for density_factor().
inline float density_term(float distance_squared) {
  const float left = kReach * kReach - distance_squared;
  return left * left * left;
}

inline float density_factor() { return kMass * 315 / (64 * std::numbers::pi_v<float> * std::pow(kReach, 9.0f)); }

// The acceleration of `one` by `other`, which is within reach: pressure pushes, viscosity drags. Theirs is the
// opposite.
inline Vector pair_acceleration(const Particle& one, const Particle& other, float distance_squared) {
  const float distance = std::sqrt(std::max(distance_squared, 1e-12f)), left = kReach - distance;
  const float slope = kMass * 45 / (std::numbers::pi_v<float> * std::pow(kReach, 6.0f)) * left;
  const float pressure = kStiffness * (one.density + other.density - 2 * kRestDensity) / 2;
  const Vector push = (pressure * left / distance) * (one.position - other.position);
  const Vector drag = kViscosity * (other.velocity - one.velocity);
  return slope / (one.density * other.density) * (push + drag);
}

// By the walls at 0 and `width` in one dimension.
inline float wall_acceleration(float position, float velocity, float width) {
  const float into_low = kWallReach - position, into_high = kWallReach - (width - position);
  if (into_low > 0) return kWallStiffness * into_low - kWallDamping * velocity;
  if (into_high > 0) return -kWallStiffness * into_high - kWallDamping * velocity;
  return 0;
}

}  // namespace fluidanimate
