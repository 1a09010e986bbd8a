#include "simt/image/footprint.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "simt/image/image_layout.h"
#include "simt/image/texel.h"

namespace warpfork::simt {

namespace {

using Address = Image::Address;

constexpr double kFarthest = 1 << 30;  // texels: coordinates beyond count as this far
constexpr double kWeightSteps = 256;

/// Texels of one dimension: `index`, and the one behind it by `weight_behind`.
struct Step {
  std::int64_t index = 0;
  double weight_behind = 0;
};

double bounded(double value, double most) { return std::isnan(value) ? 0 : std::clamp(value, -most, most); }

/// The coordinate in texels, as a float.
float in_texels(const Image& image, float coordinate, std::uint32_t size) {
  return image.is_normalized ? coordinate * static_cast<float>(size) : coordinate;
}

Step nearest(float coordinate) { return {static_cast<std::int64_t>(std::floor(bounded(coordinate, kFarthest))), 0}; }

/// Texels have their values at their middles.
Step filtered(float coordinate) {
  const float middle = coordinate - 0.5f;
  const double steps = std::floor(bounded(middle * kWeightSteps, kFarthest * kWeightSteps) + 0.5);
  const double index = std::floor(steps / kWeightSteps);
  return {static_cast<std::int64_t>(index), steps / kWeightSteps - index};
}

std::int64_t modulo(std::int64_t index, std::int64_t size) { return (index % size + size) % size; }

/// The texel that stands for one of that number; nothing for the border.
std::optional<std::int64_t> inside(const Image& image, unsigned dimension, std::int64_t index, std::int64_t size) {
  Address mode = image.address_mode[dimension];
  if (!image.is_normalized && (mode == Address::Wrap || mode == Address::Mirror)) mode = Address::Clamp;
  switch (mode) {
    case Address::Border:
      return index >= 0 && index < size ? std::optional(index) : std::nullopt;
    case Address::Wrap:
      return modulo(index, size);
    case Address::Mirror: {
      const std::int64_t in_period = modulo(index, 2 * size);
      return std::min(in_period, 2 * size - 1 - in_period);
    }
    default:
      return std::clamp<std::int64_t>(index, 0, size - 1);
  }
}

/// Sizes of a texture, and the texels that a place needs, by dimension.
class Texels {
 public:
  Texels(const Image& image, Geometry geometry, const TexturePlace& place)
      : image_(image), dimensions_(ImageForm{geometry}.dimensions()), size_{image.width, image.height, image.depth} {
    if (ImageForm{geometry}.has_layer()) layer_ = std::min(place.layer, image.depth - 1);
  }

  std::uint32_t size(unsigned dimension) const { return size_[dimension]; }
  unsigned dimensions() const { return dimensions_; }

  Tap tap(const std::array<std::int64_t, 3>& index, double weight) const {
    std::array<std::int64_t, 3> texel{0, 0, layer_};
    for (unsigned i = 0; i < dimensions_; ++i) {
      const std::optional<std::int64_t> found = inside(image_, i, index[i], size_[i]);
      if (!found) return {0, weight, Tap::Value::Border};
      texel[i] = *found;
    }
    const auto [x, y, z] = texel;
    return {texel_address(image_, static_cast<std::uint64_t>(x) * image_.texel_bytes(), static_cast<std::uint64_t>(y),
                          static_cast<std::uint64_t>(z)),
            weight};
  }

 private:
  const Image& image_;
  unsigned dimensions_;
  std::array<std::uint32_t, 3> size_;
  std::int64_t layer_ = 0;
};

Footprint of_numbers(const Image& image, const Texels& texels, const TexturePlace& place) {
  Footprint footprint;
  const bool is_outside = place.texel[0] < 0 || static_cast<std::uint32_t>(place.texel[0]) >= image.width;
  if (image.layout == Image::Layout::Buffer && is_outside)
    footprint.add({0, 1, Tap::Value::Zero});
  else
    footprint.add(texels.tap({place.texel[0], place.texel[1], place.texel[2]}, 1));
  return footprint;
}

}  // namespace

Footprint footprint_of(const Image& image, Geometry geometry, const TexturePlace& place) {
  const Texels texels(image, geometry, place);
  if (place.is_integer) return of_numbers(image, texels, place);
  const bool is_filtered = image.is_filtered && reads_floats(image);
  std::array<Step, 3> step;
  for (unsigned i = 0; i < texels.dimensions(); ++i) {
    const float coordinate = in_texels(image, place.at[i], texels.size(i));
    step[i] = is_filtered ? filtered(coordinate) : nearest(coordinate);
  }
  Footprint footprint;
  const unsigned corners = is_filtered ? 1u << texels.dimensions() : 1;
  for (unsigned corner = 0; corner < corners; ++corner) {
    std::array<std::int64_t, 3> index{};
    double weight = 1;
    for (unsigned i = 0; i < texels.dimensions(); ++i) {
      const bool is_behind = (corner >> i & 1) != 0;
      index[i] = step[i].index + is_behind;
      weight *= is_behind ? step[i].weight_behind : 1 - step[i].weight_behind;
    }
    footprint.add(texels.tap(index, weight));
  }
  return footprint;
}

Footprint gather_footprint_of(const Image& image, Geometry geometry, const TexturePlace& place) {
  const Texels texels(image, geometry, place);
  const std::int64_t i = filtered(in_texels(image, place.at[0], texels.size(0))).index;
  const std::int64_t j = filtered(in_texels(image, place.at[1], texels.size(1))).index;
  Footprint footprint;
  footprint.add(texels.tap({i, j + 1, 0}, 1));
  footprint.add(texels.tap({i + 1, j + 1, 0}, 1));
  footprint.add(texels.tap({i + 1, j, 0}, 1));
  footprint.add(texels.tap({i, j, 0}, 1));
  return footprint;
}

}  // namespace warpfork::simt
