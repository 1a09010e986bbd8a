#include "simt/image/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpfork::simt {

namespace {

constexpr std::uint32_t kNan = 0x7fffffff;

template <typename Bits>
std::uint32_t bits_at(const std::byte* at) {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

std::uint32_t raw_channel(const Image& image, const std::byte* texel, unsigned number) {
  const std::byte* const at = texel + number * image.channel_bytes;
  switch (image.channel_bytes) {
    case 1:
      return bits_at<std::uint8_t>(at);
    case 2:
      return bits_at<std::uint16_t>(at);
    default:
      return bits_at<std::uint32_t>(at);
  }
}

std::int32_t sign_extended(std::uint32_t bits, unsigned bytes) {
  const unsigned unused = 32 - 8 * bytes;
  return static_cast<std::int32_t>(bits << unused) >> unused;
}

/// IEEE 754 binary16.
double half_value(std::uint32_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 0x3ff;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

double fraction_value(const Image& image, std::uint32_t bits) {
  const int digits = 8 * image.channel_bytes;
  if (image.channel == Image::Channel::Unsigned) return bits / (std::ldexp(1, digits) - 1);
  return std::max(sign_extended(bits, image.channel_bytes) / (std::ldexp(1, digits - 1) - 1), -1.0);
}

double value_of(const Image& image, std::uint32_t bits) {
  if (image.channel != Image::Channel::Float) return fraction_value(image, bits);
  return image.channel_bytes == 2 ? half_value(bits) : static_cast<double>(std::bit_cast<float>(bits));
}

std::uint32_t integer_of(const Image& image, std::uint32_t bits) {
  if (image.channel == Image::Channel::Unsigned) return bits;
  return static_cast<std::uint32_t>(sign_extended(bits, image.channel_bytes));
}

}  // namespace

std::uint32_t rounded_bits(double value) {
  return std::isnan(value) ? kNan : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

ChannelValues values_of(const Image& image, const std::byte* texel) {
  ChannelValues values{};
  for (unsigned i = 0; i < image.channels; ++i) values[i] = value_of(image, raw_channel(image, texel, i));
  return values;
}

ChannelValues border_values(const Image& image) {
  ChannelValues values{};
  std::copy_n(image.border.begin(), image.channels, values.begin());
  return values;
}

Channels channels_of(const Image& image, const std::byte* texel) {
  Channels channels{};
  const bool is_exact = image.channel == Image::Channel::Float && image.channel_bytes == 4;  // a NaN keeps its bits
  for (unsigned i = 0; i < image.channels; ++i) {
    const std::uint32_t bits = raw_channel(image, texel, i);
    channels[i] = is_exact ? bits : reads_floats(image) ? rounded_bits(value_of(image, bits)) : integer_of(image, bits);
  }
  return channels;
}

Channels border_channels(const Image& image) {
  Channels channels{};
  for (unsigned i = 0; i < image.channels; ++i) channels[i] = std::bit_cast<std::uint32_t>(image.border[i]);
  return channels;
}

}  // namespace warpfork::simt
