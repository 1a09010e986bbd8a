#include "simt/image/footprint.h"

#include <algorithm>
#include <cmath>

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

/// Of one dimension; of those that a texture does not have the first texel.
struct Neighbours {
  std::array<std::int64_t, 2> texel{};
  std::array<double, 2> weight{1, 0};
  unsigned count = 1;
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

constexpr std::int64_t kBorder = -1;

/// The texel that stands for one of that number, or kBorder.
std::int64_t inside(const Image& image, unsigned dimension, std::int64_t index, std::int64_t size) {
  if (index >= 0 && index < size) return index;
  Address mode = image.address_mode[dimension];
  if (!image.is_normalized && (mode == Address::Wrap || mode == Address::Mirror)) mode = Address::Clamp;
  switch (mode) {
    case Address::Border:
      return kBorder;
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
  std::int64_t inside(unsigned dimension, std::int64_t index) const {
    return warpfork::simt::inside(image_, dimension, index, size_[dimension]);
  }

  /// Of numbers as inside() gives them.
  Tap tap(std::int64_t x, std::int64_t y, std::int64_t z, double weight) const {
    if (x == kBorder || y == kBorder || z == kBorder) return {0, weight, Tap::Value::Border};
    return {texel_address(image_, static_cast<std::uint64_t>(x) * image_.texel_bytes(), static_cast<std::uint64_t>(y),
                          static_cast<std::uint64_t>(dimensions_ < 3 ? layer_ : z)),
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
  const auto of = [&](unsigned i) { return i < texels.dimensions() ? texels.inside(i, place.texel[i]) : 0; };
  const bool is_outside = place.texel[0] < 0 || static_cast<std::uint32_t>(place.texel[0]) >= image.width;
  if (image.layout == Image::Layout::Buffer && is_outside)
    footprint.add({0, 1, Tap::Value::Zero});
  else
    footprint.add(texels.tap(of(0), of(1), of(2), 1));
  return footprint;
}

}  // namespace

Footprint footprint_of(const Image& image, Geometry geometry, const TexturePlace& place) {
  const Texels texels(image, geometry, place);
  if (place.is_integer) return of_numbers(image, texels, place);
  const bool is_filtered = image.is_filtered && reads_floats(image);
  std::array<Neighbours, 3> axis;
  for (unsigned i = 0; i < texels.dimensions(); ++i) {
    const float coordinate = in_texels(image, place.at[i], texels.size(i));
    const Step step = is_filtered ? filtered(coordinate) : nearest(coordinate);
    axis[i] = {{texels.inside(i, step.index), 0}, {1 - step.weight_behind, step.weight_behind}, 1};
    if (!is_filtered) continue;
    axis[i].texel[1] = texels.inside(i, step.index + 1);
    axis[i].count = 2;
  }
  Footprint footprint;
  for (unsigned z = 0; z < axis[2].count; ++z)
    for (unsigned y = 0; y < axis[1].count; ++y)
      for (unsigned x = 0; x < axis[0].count; ++x)
        footprint.add(texels.tap(axis[0].texel[x], axis[1].texel[y], axis[2].texel[z],
                                 axis[0].weight[x] * axis[1].weight[y] * axis[2].weight[z]));
  return footprint;
}

Footprint gather_footprint_of(const Image& image, Geometry geometry, const TexturePlace& place) {
  const Texels texels(image, geometry, place);
  const std::int64_t i = filtered(in_texels(image, place.at[0], texels.size(0))).index;
  const std::int64_t j = filtered(in_texels(image, place.at[1], texels.size(1))).index;
  Footprint footprint;
  const auto add = [&](std::int64_t x, std::int64_t y) {
    footprint.add(texels.tap(texels.inside(0, x), texels.inside(1, y), 0, 1));
  };
  add(i, j + 1);
  add(i + 1, j + 1);
  add(i + 1, j);
  add(i, j);
  return footprint;
}

}  // namespace warpfork::simt
