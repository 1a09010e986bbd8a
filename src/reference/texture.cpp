#include "reference/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/soft_float.h"

namespace warpfork::reference {
namespace {

using simt::Image;
using Address = Image::Address;

std::int64_t non_negative_remainder(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

std::uint32_t float_bits(double value) {
  return std::isnan(value) ? static_cast<std::uint32_t>(kF32.canonical_nan())
                           : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::int64_t last_of(std::uint32_t count) { return std::int64_t{count} - 1; }

}  // namespace

Texture::Texture(const Thread& thread, const ImageOperands& operands)
    : thread_(thread),
      operands_(operands),
      image_(operands.image),
      extents_{image_.width, image_.height, image_.depth},
      layer_(std::min<std::int64_t>(operands.layer.value_or(0), last_of(image_.depth))) {}

float Texture::coordinate(unsigned dimension) const {
  const auto given = std::bit_cast<float>(operands_.coordinates[dimension]);
  if (!image_.is_normalized) return given;
  // A double holds the product exactly, so that it is rounded once.
  return static_cast<float>(double{given} * static_cast<double>(extents_[dimension]));
}

Texture::Texel Texture::at_integers() const {
  Position position{};
  for (unsigned d = 0; d < operands_.dimensions; ++d) position[d] = sign_extend(operands_.coordinates[d], 32);
  const bool is_outside = position[0] < 0 || position[0] >= extents_[0];
  if (image_.layout == Image::Layout::Buffer && is_outside) return {};
  return texel(position);
}

Texture::Texel Texture::at_floats() const {
  if (image_.is_filtered && gives_floats()) return weighted(between_texels());
  Position position{};
  for (unsigned d = 0; d < operands_.dimensions; ++d) {
    const double x = std::floor(double{coordinate(d)});
    position[d] = std::isnan(x) ? 0 : static_cast<std::int64_t>(std::clamp(x, -0x1p30, 0x1p30));
  }
  return texel(position);
}

Texture::Texel Texture::gathered(std::size_t channel) const {
  const Position fixed = between_texels();
  const std::int64_t i = fixed[0] >> 8, j = fixed[1] >> 8;
  return {channel_bits({i, j + 1, 0}, channel), channel_bits({i + 1, j + 1, 0}, channel),
          channel_bits({i + 1, j, 0}, channel), channel_bits({i, j, 0}, channel)};
}

Texture::Position Texture::between_texels() const {
  Position fixed{};
  for (unsigned d = 0; d < operands_.dimensions; ++d) {
    const float from_middle = coordinate(d) - 0.5f;
    const double rounded = std::floor(double{from_middle} * 256 + 0.5);
    fixed[d] = std::isnan(rounded) ? 0 : static_cast<std::int64_t>(std::clamp(rounded, -0x1p38, 0x1p38));
  }
  return fixed;
}

std::optional<std::int64_t> Texture::addressed(std::int64_t texel, unsigned dimension) const {
  const std::int64_t count = extents_[dimension];
  if (texel >= 0 && texel < count) return texel;
  const Address mode = image_.address_mode[dimension];
  if (mode == Address::Border) return std::nullopt;
  if (mode == Address::Wrap && image_.is_normalized) return non_negative_remainder(texel, count);
  if (mode == Address::Mirror && image_.is_normalized) {
    const std::int64_t in_period = non_negative_remainder(texel, 2 * count);
    return in_period < count ? in_period : 2 * count - 1 - in_period;
  }
  return texel < 0 ? 0 : count - 1;
}

std::optional<Texture::Position> Texture::addressed(const Position& position) const {
  Position inside{};
  for (unsigned d = 0; d < operands_.dimensions; ++d) {
    const auto texel = addressed(position[d], d);
    if (!texel) return std::nullopt;
    inside[d] = *texel;
  }
  if (operands_.layer) inside[2] = layer_;
  return inside;
}

Texture::Texel Texture::texel(const Position& position) const {
  Texel result{};
  for (std::size_t channel = 0; channel < result.size(); ++channel) result[channel] = channel_bits(position, channel);
  return result;
}

Texture::Texel Texture::weighted(const Position& fixed) const {
  Texel result{};
  for (std::size_t channel = 0; channel < image_.channels; ++channel) {
    double sum = 0;
    for (unsigned corner = 0; corner < 1u << operands_.dimensions; ++corner) {
      Position position{};
      double weight = 1;
      for (unsigned d = 0; d < operands_.dimensions; ++d) {
        const unsigned upper = corner >> d & 1;
        const double share = static_cast<double>(fixed[d] & 255) / 256;
        position[d] = (fixed[d] >> 8) + upper;
        weight *= upper != 0 ? share : 1 - share;
      }
      const double product = weight * channel_number(position, channel);
      sum = corner == 0 ? product : sum + product;  // 0 + -0 would lose the sign
    }
    result[channel] = float_bits(sum);
  }
  return result;
}

std::uint32_t Texture::channel_bits(const Position& position, std::size_t channel) const {
  if (channel >= image_.channels) return 0;
  const auto inside = addressed(position);
  if (!inside) return std::bit_cast<std::uint32_t>(image_.border[channel]);
  const std::uint64_t bits = stored_bits(*inside, channel);
  if (is_fraction()) return float_bits(fraction(bits));
  if (image_.channel == Image::Channel::Float && image_.channel_bytes == 2)
    return static_cast<std::uint32_t>(encode(decode(bits, kF16), kF32, Rounding::NearestEven));
  if (image_.channel == Image::Channel::Signed)
    return static_cast<std::uint32_t>(sign_extend(bits, 8u * image_.channel_bytes));
  return static_cast<std::uint32_t>(bits);
}

/// Not rounded to single precision where it is a fraction.
double Texture::channel_number(const Position& position, std::size_t channel) const {
  const auto inside = addressed(position);
  if (inside && is_fraction()) return fraction(stored_bits(*inside, channel));
  return double{std::bit_cast<float>(channel_bits(position, channel))};
}

std::uint64_t Texture::stored_bits(const Position& inside, std::size_t channel) const {
  const auto [x, y, z] = inside;
  const std::uint64_t byte = static_cast<std::uint64_t>(x) * image_.texel_bytes() + channel * image_.channel_bytes;
  const std::uint64_t address =
      image_address(image_, byte, static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
  return thread_.load({ptx::StateSpace::Global, address}, image_.channel_bytes);
}

bool Texture::is_fraction() const {
  return image_.reads_fractions && image_.channel != Image::Channel::Float && image_.channel_bytes <= 2;
}

bool Texture::gives_floats() const { return image_.channel == Image::Channel::Float || is_fraction(); }

double Texture::fraction(std::uint64_t bits) const {
  const unsigned width = 8u * image_.channel_bytes;
  if (image_.channel == Image::Channel::Unsigned)
    return static_cast<double>(bits) / static_cast<double>((1u << width) - 1);
  const double largest = static_cast<double>((1u << (width - 1)) - 1);
  return std::max(static_cast<double>(sign_extend(bits, width)) / largest, -1.0);
}

}  // namespace warpfork::reference
