// Pictures, their motion, and the prediction on the host, pixel by pixel as ITU-T H.264 defines it (8.4.2.2).
#pragma once

#include <algorithm>

#include "../common/check.h"

namespace h264 {

constexpr int kMacroblock = 16, kBlock = 4;  // pixels in x and in y; each block of luma has a vector of its own

// One plane of a picture.
struct Plane {
  int width, height;
  std::vector<unsigned char> pixels;

  // What lies outside is as the nearest pixel (8.4.2.2.1).
  int at(int x, int y) const {
    x = std::min(std::max(x, 0), width - 1);
    y = std::min(std::max(y, 0), height - 1);
    return pixels[static_cast<std::size_t>(y) * width + x];
  }
};

// In quarters of a pixel of luma, which are eighths of one of chroma.
struct Vector {
  short x, y;
};

struct Motion {
  int blocks_across;
  std::vector<Vector> vectors;  // of the blocks, in rows
};

inline int clipped(int value) { return std::min(std::max(value, 0), 255); }

inline int filtered(const int (&taps)[6]) {
  return taps[0] - 5 * taps[1] + 20 * taps[2] + 20 * taps[3] - 5 * taps[4] + taps[5];
}

// The half samples b, h and j of Figure 8-4, right of, below, and right of and below the pixel at (x, y).
inline int half_right(const Plane& plane, int x, int y) {
  int taps[6];
  for (int i = 0; i < 6; ++i) taps[i] = plane.at(x + i - 2, y);
  return clipped((filtered(taps) + 16) >> 5);
}

inline int half_below(const Plane& plane, int x, int y) {
  int taps[6];
  for (int i = 0; i < 6; ++i) taps[i] = plane.at(x, y + i - 2);
  return clipped((filtered(taps) + 16) >> 5);
}

inline int half_both(const Plane& plane, int x, int y) {
  int columns[6];
  for (int i = 0; i < 6; ++i) {
    int taps[6];
    for (int k = 0; k < 6; ++k) taps[k] = plane.at(x + i - 2, y + k - 2);
    columns[i] = filtered(taps);
  }
  return clipped((filtered(columns) + 512) >> 10);
}

// The sample `quarters_x`, `quarters_y` off the pixel at (x, y): the letters are those of Figure 8-4 and Table 8-12.
inline int luma_sample(const Plane& plane, int x, int y, int quarters_x, int quarters_y) {
  const auto average = [](int one, int other) { return (one + other + 1) >> 1; };
  const int g = plane.at(x, y), b = half_right(plane, x, y), h = half_below(plane, x, y), j = half_both(plane, x, y);
  const int m = half_below(plane, x + 1, y), s = half_right(plane, x, y + 1);
  switch (4 * quarters_y + quarters_x) {
    case 0:
      return g;
    case 1:
      return average(g, b);
    case 2:
      return b;
    case 3:
      return average(b, plane.at(x + 1, y));
    case 4:
      return average(g, h);
    case 5:
      return average(b, h);
    case 6:
      return average(b, j);
    case 7:
      return average(b, m);
    case 8:
      return h;
    case 9:
      return average(h, j);
    case 10:
      return j;
    case 11:
      return average(j, m);
    case 12:
      return average(h, plane.at(x, y + 1));
    case 13:
      return average(h, s);
    case 14:
      return average(j, s);
    default:
      return average(s, m);
  }
}

inline int chroma_sample(const Plane& plane, int x, int y, int eighths_x, int eighths_y) {
  const int above = (8 - eighths_x) * plane.at(x, y) + eighths_x * plane.at(x + 1, y);
  const int below = (8 - eighths_x) * plane.at(x, y + 1) + eighths_x * plane.at(x + 1, y + 1);
  return ((8 - eighths_y) * above + eighths_y * below + 32) >> 6;
}

inline std::vector<unsigned char> predicted_luma(const Plane& plane, const Motion& motion) {
  std::vector<unsigned char> pixels;
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const Vector vector = motion.vectors[y / kBlock * motion.blocks_across + x / kBlock];
      const int sample = luma_sample(plane, x + (vector.x >> 2), y + (vector.y >> 2), vector.x & 3, vector.y & 3);
      pixels.push_back(static_cast<unsigned char>(sample));
    }
  return pixels;
}

inline std::vector<unsigned char> predicted_chroma(const Plane& plane, const Motion& motion) {
  std::vector<unsigned char> pixels;
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const Vector vector = motion.vectors[2 * y / kBlock * motion.blocks_across + 2 * x / kBlock];
      const int sample = chroma_sample(plane, x + (vector.x >> 3), y + (vector.y >> 3), vector.x & 7, vector.y & 7);
      pixels.push_back(static_cast<unsigned char>(sample));
    }
  return pixels;
}

inline Plane draw_plane(workload::Random& random, int width, int height) {
  Plane plane{width, height, {}};
  for (int i = 0; i < width * height; ++i) plane.pixels.push_back(static_cast<unsigned char>(random.below(256)));
  return plane;
}

// A drawn vector: three in ten lie on whole pixels, as where the camera stands still.
inline Vector draw_vector(workload::Random& random) {
  int x = static_cast<int>(random.below(129)) - 64, y = static_cast<int>(random.below(65)) - 32;
  if (random.below(10) < 3) x -= x & 3, y -= y & 3;
  return {static_cast<short>(x), static_cast<short>(y)};
}

// Gives the blocks of one part of a macroblock the same vector.
inline void move(Motion& motion, int x, int y, int width, int height, Vector vector) {
  for (int j = y; j < y + height; j += kBlock)
    for (int i = x; i < x + width; i += kBlock)
      motion.vectors[static_cast<std::size_t>(j / kBlock) * motion.blocks_across + i / kBlock] = vector;
}

// Cuts a square of `side` pixels into one, two or four parts; four of 8 x 8 pixels may be cut again (7.4.5).
inline void draw_parts(workload::Random& random, Motion& motion, int x, int y, int side) {
  const unsigned luck = random.below(10);
  const int half = side / 2;
  if (luck < 5) {
    move(motion, x, y, side, side, draw_vector(random));
  } else if (luck < 6) {
    for (int i = 0; i < 2; ++i) move(motion, x, y + i * half, side, half, draw_vector(random));
  } else if (luck < 7) {
    for (int i = 0; i < 2; ++i) move(motion, x + i * half, y, half, side, draw_vector(random));
  } else {
    for (int i = 0; i < 4; ++i) {
      const int corner_x = x + i % 2 * half, corner_y = y + i / 2 * half;
      if (half == kBlock)
        move(motion, corner_x, corner_y, half, half, draw_vector(random));
      else
        draw_parts(random, motion, corner_x, corner_y, half);
    }
  }
}

inline Motion draw_motion(workload::Random& random, int width, int height) {
  Motion motion{width / kBlock, std::vector<Vector>(static_cast<std::size_t>(width / kBlock) * (height / kBlock))};
  for (int y = 0; y < height; y += kMacroblock)
    for (int x = 0; x < width; x += kMacroblock) draw_parts(random, motion, x, y, kMacroblock);
  return motion;
}

}  // namespace h264
