// The volume of volrend: a phantom of a head, how opaque each of its voxels is and which way its surface looks there
// (Levoy 1988), and a pyramid that says where it is empty (Levoy 1990).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "shade_table.h"

namespace volrend {

using Cell = std::array<int, 3>;  // between eight voxels, of which it has the coordinates of the least

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
    const float x = (p[0] - middle[0]) / radius[0], y = (p[1] - middle[1]) / radius[1],
                z = (p[2] - middle[2]) / radius[2];
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

// What rays look up at a voxel.
struct Volume {
  Volume(const Grid<std::uint8_t>& head, const ShadeTable& shades) : opacities(head.side), normals(head.side) {
    for (int z = 0; z < head.side; ++z)
      for (int y = 0; y < head.side; ++y)
        for (int x = 0; x < head.side; ++x) classify(head, shades, x, y, z);
  }

  int side() const { return opacities.side; }

  Grid<std::uint8_t> opacities;  // 255: fully opaque
  Grid<std::uint16_t> normals;   // indices into the table of shades

 private:
  // Surfaces are opaque, more so the steeper they are; nothing is inside a tissue.
  void classify(const Grid<std::uint8_t>& head, const ShadeTable& shades, int x, int y, int z) {
    const int last = head.side - 1, density = head.at(x, y, z);
    const auto slope = [](int above, int below) { return static_cast<float>(above - below) / 2; };
    const Vector inwards = {
        slope(head.at(std::min(x + 1, last), y, z), head.at(std::max(x - 1, 0), y, z)),
        slope(head.at(x, std::min(y + 1, last), z), head.at(x, std::max(y - 1, 0), z)),
        slope(head.at(x, y, std::min(z + 1, last)), head.at(x, y, std::max(z - 1, 0))),
    };
    const float steepness = std::sqrt(dot(inwards, inwards));
    if (density == 0 || steepness < 4) return;
    const float opacity = std::min(1.0f, steepness / 120) * (density > 150 ? 1.0f : 0.4f);
    opacities.at(x, y, z) = static_cast<std::uint8_t>(std::lround(255 * opacity));
    normals.at(x, y, z) = shades.index({-inwards[0] / steepness, -inwards[1] / steepness, -inwards[2] / steepness});
  }
};

// Level 0 says of each cell whether one of its eight voxels has any opacity, a level above the same of eight cells of
// the level below.
class Pyramid {
 public:
  explicit Pyramid(const Grid<std::uint8_t>& opacities) {
    levels_.emplace_back(opacities.side - 1);
    fill(opacities, 1);
    while (levels_.back().side > 1) {
      levels_.emplace_back((levels_.back().side + 1) / 2);
      fill(levels_[levels_.size() - 2], 2);
    }
  }

  int levels() const { return static_cast<int>(levels_.size()); }

  // Whether there is anything in the box of 2^level cells a side in which the cell lies.
  bool filled(int level, const Cell& cell) const {
    return levels_[level].at(cell[0] >> level, cell[1] >> level, cell[2] >> level) != 0;
  }

 private:
  // A box of the last level begins at every `stride`-th place of what lies below, and is two places wide.
  void fill(const Grid<std::uint8_t>& below, int stride) {
    Grid<std::uint8_t>& boxes = levels_.back();
    const int last = below.side - 1;
    for (int z = 0; z < boxes.side; ++z)
      for (int y = 0; y < boxes.side; ++y)
        for (int x = 0; x < boxes.side; ++x)
          for (int corner = 0; corner < 8; ++corner)
            if (below.at(std::min(stride * x + (corner & 1), last), std::min(stride * y + (corner >> 1 & 1), last),
                         std::min(stride * z + (corner >> 2), last)) != 0)
              boxes.at(x, y, z) = 1;
  }

  std::vector<Grid<std::uint8_t>> levels_;
};

}  // namespace volrend
