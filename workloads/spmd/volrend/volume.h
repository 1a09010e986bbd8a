// The volume of volrend: a phantom of a head, how opaque and how bright each of its voxels is (Levoy 1988), and a
// pyramid that says where it is empty (Levoy 1990).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/range.h"

namespace volrend {

struct Vector {
  float x, y, z;
};

struct Voxel {
  float opacity;
  float shade;  // light reflected towards the viewer, of a fully opaque voxel
};

// A cube of something, side by side by side.
template <class Value>
struct Grid {
  explicit Grid(int side) : side(side), values(static_cast<std::size_t>(side) * side * side) {}

  int index(int x, int y, int z) const { return (z * side + y) * side + x; }
  Value& at(int x, int y, int z) { return values[index(x, y, z)]; }
  const Value& at(int x, int y, int z) const { return values[index(x, y, z)]; }

  int side;
  std::vector<Value> values;
};

// Densities as in a computed tomography of a head, 0 to 255: skin, skull, brain with two hollows, nothing around it.
inline Grid<std::uint8_t> make_head(int side) {
  Grid<std::uint8_t> head(side);
  const auto within = [](Vector p, Vector middle, Vector radius) {
    const float x = (p.x - middle.x) / radius.x, y = (p.y - middle.y) / radius.y, z = (p.z - middle.z) / radius.z;
    return x * x + y * y + z * z < 1;
  };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const auto scaled = [side](int i) { return (2 * static_cast<float>(i) + 1) / static_cast<float>(side) - 1; };
        const Vector p = {scaled(x), scaled(y), scaled(z)};
        int density = 0;
        if (within(p, {0, 0, 0}, {0.7f, 0.9f, 0.75f})) density = 70;
        if (within(p, {0, 0, -0.75f}, {0.12f, 0.2f, 0.15f})) density = 75;  // nose
        if (within(p, {0, 0.05f, 0}, {0.62f, 0.8f, 0.67f})) density = 210;
        if (within(p, {0, 0.05f, 0}, {0.54f, 0.72f, 0.59f})) density = 110;
        for (float eye : {-0.25f, 0.25f})
          if (within(p, {eye, -0.1f, -0.6f}, {0.12f, 0.12f, 0.15f})) density = 50;
        for (float hollow : {-0.15f, 0.15f})
          if (within(p, {hollow, 0.1f, 0}, {0.08f, 0.3f, 0.25f})) density = 20;
        head.at(x, y, z) = static_cast<std::uint8_t>(density);
      }
  return head;
}

// Surfaces are opaque, more so the steeper they are; the light stands where the viewer is in the first frame.
inline Voxel classify(const Grid<std::uint8_t>& head, int x, int y, int z) {
  const int last = head.side - 1, density = head.at(x, y, z);
  if (density == 0) return {0, 0};
  const auto slope = [](int above, int below) { return static_cast<float>(above - below) / 2; };
  const Vector gradient = {
      slope(head.at(std::min(x + 1, last), y, z), head.at(std::max(x - 1, 0), y, z)),
      slope(head.at(x, std::min(y + 1, last), z), head.at(x, std::max(y - 1, 0), z)),
      slope(head.at(x, y, std::min(z + 1, last)), head.at(x, y, std::max(z - 1, 0))),
  };
  const float steepness = std::sqrt(gradient.x * gradient.x + gradient.y * gradient.y + gradient.z * gradient.z);
  if (steepness < 4) return {0, 0};  // inside a tissue
  const float opacity = std::min(1.0f, steepness / 120) * (density > 150 ? 1.0f : 0.4f);
  const float facing = gradient.z / steepness;  // the gradient points inwards, the light goes along z
  return {opacity, 0.2f + 0.8f * std::max(0.0f, facing)};
}

// Level 0 says of each cell between eight voxels whether one of them has any opacity, a level above the same of eight
// cells of the level below.
class Pyramid {
 public:
  explicit Pyramid(int cells) {
    for (int side = cells; side > 1; side = (side + 1) / 2) levels_.emplace_back(side);
    levels_.emplace_back(1);
  }

  int levels() const { return static_cast<int>(levels_.size()); }

  bool filled(int level, int x, int y, int z) const {
    return levels_[level].at(x >> level, y >> level, z >> level) != 0;
  }

  // One thread's share of a level. Level 0 needs all voxels, others need all of the level below.
  void build(int level, const Grid<Voxel>& voxels, int thread, int threads) {
    Grid<char>& cells = levels_[level];
    const spmd::Range mine = spmd::share(cells.side, threads, thread);
    for (int z = mine.begin; z < mine.end; ++z)
      for (int y = 0; y < cells.side; ++y)
        for (int x = 0; x < cells.side; ++x)
          cells.at(x, y, z) = level == 0 ? any_voxel(voxels, x, y, z) : any_cell(levels_[level - 1], x, y, z);
  }

 private:
  static bool any_voxel(const Grid<Voxel>& voxels, int x, int y, int z) {
    for (int corner = 0; corner < 8; ++corner)
      if (voxels.at(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)).opacity > 0) return true;
    return false;
  }

  static bool any_cell(const Grid<char>& below, int x, int y, int z) {
    const int last = below.side - 1;
    for (int corner = 0; corner < 8; ++corner)
      if (below.at(std::min(2 * x + (corner & 1), last), std::min(2 * y + (corner >> 1 & 1), last),
                   std::min(2 * z + (corner >> 2), last)) != 0)
        return true;
    return false;
  }

  std::vector<Grid<char>> levels_;
};

}  // namespace volrend
