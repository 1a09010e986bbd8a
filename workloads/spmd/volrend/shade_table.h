// How bright a surface is that looks a certain way, by Phong's model: a table that is made anew for each frame, since
// the light goes with the viewer, and looked up for each voxel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/range.h"

namespace volrend {

using Vector = std::array<float, 3>;  // x, y, z

inline float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Of normals with y and z in steps of 1 / `steps`; x follows from them but for its sign.
class ShadeTable {
 public:
  explicit ShadeTable(int steps) : steps_(steps), shades_(entry(0, row_length())) {}

  std::uint16_t index(const Vector& normal) const {
    const auto step = [this](float part) { return static_cast<int>(std::lround(part * static_cast<float>(steps_))); };
    return static_cast<std::uint16_t>(entry(step(normal[1]) + steps_, step(normal[2]) + steps_) +
                                      (normal[0] > 0 ? 1 : 0));
  }

  std::uint8_t operator[](int index) const { return shades_[index]; }

  // One thread's share of the table. Light comes from `light`, and is mirrored most towards the viewer at normals along
  // `highlight`; both of length 1.
  void compute(const Vector& light, const Vector& highlight, int thread, int threads) {
    const spmd::Range mine = spmd::share(row_length(), threads, thread);
    const float step = 1 / static_cast<float>(steps_);
    for (int row = mine.begin; row < mine.end; ++row)
      for (int column = 0; column < row_length(); ++column) {
        const float y = static_cast<float>(column - steps_) * step, z = static_cast<float>(row - steps_) * step;
        const float rest = 1 - y * y - z * z;
        if (rest < -2 * step) continue;  // no normal is rounded to this
        const float x = std::sqrt(std::max(rest, 0.0f));
        for (const int side : {0, 1}) {
          const Vector normal = {side == 0 ? -x : x, y, z};
          shades_[entry(column, row) + side] = shade(dot(normal, light), dot(normal, highlight));
        }
      }
  }

 private:
  static std::uint8_t shade(float to_light, float to_highlight) {
    const float diffuse = std::max(to_light, 0.0f);
    const double specular = std::pow(std::max(to_highlight, 0.0f), 10.0);
    return static_cast<std::uint8_t>(std::min(30 + 100 * diffuse + 130 * specular, 255.0));
  }

  int row_length() const { return 2 * steps_ + 1; }
  int entry(int column, int row) const { return 2 * (row * row_length() + column); }

  int steps_;
  std::vector<std::uint8_t> shades_;
};

}  // namespace volrend
