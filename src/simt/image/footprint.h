// Which texels a read of a texture needs, and how much each counts (CUDA C++ Programming Guide, "Texture Fetching").
#pragma once

#include <array>
#include <cstdint>

#include "simt/image/image.h"
#include "simt/image/image_form.h"

namespace warpfork::simt {

/// Where a texture is read: floats, or integers where `is_integer` says so.
struct TexturePlace {
  std::array<float, 3> at{};            // x, y, z
  std::array<std::int32_t, 3> texel{};  // likewise, as numbers of texels
  bool is_integer = false;
  std::uint32_t layer = 0;
};

/// One texel.
struct Tap {
  std::uint64_t address = 0;  // in device memory
  double weight = 1;
  enum class Value : std::uint8_t { Texel, Border, Zero } value = Value::Texel;  // what lies outside has no address
};

struct Footprint {
  std::array<Tap, 8> taps;
  unsigned count = 0;

  void add(const Tap& tap) { taps[count++] = tap; }
};

/// The nearest texel or, of a filtered texture read by floats, the two, four or eight around the place, x fastest. The
/// weights are of 8 binary digits for each dimension: that of the farther one may be 1.
Footprint footprint_of(const Image& image, Geometry geometry, const TexturePlace& place);

/// The four texels that a filter in two dimensions reads, in the order of tld4: lower left, lower right, upper right,
/// upper left, where rows are counted downwards.
Footprint gather_footprint_of(const Image& image, Geometry geometry, const TexturePlace& place);

}  // namespace warpfork::simt
