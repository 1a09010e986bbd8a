// The channels of one texel, as a read of its texture gives them (CUDA C++ Programming Guide, "Texture Fetching").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simt/image/image.h"

namespace warpfork::simt {

/// By channel; those that the texture does not have are zero.
using Channels = std::array<std::uint32_t, 4>;
using ChannelValues = std::array<double, 4>;

/// Whether the texture is read as floats.
inline bool reads_floats(const Image& image) { return image.channel == Image::Channel::Float || image.reads_fractions; }

/// Of a texture that is read as floats, not rounded.
ChannelValues values_of(const Image& image, const std::byte* texel);
/// What lies outside of it.
ChannelValues border_values(const Image& image);

/// As bits of a register: floats rounded to single precision, or integers.
Channels channels_of(const Image& image, const std::byte* texel);
Channels border_channels(const Image& image);

/// A float's bits; of what is no number those that the GPU's arithmetic gives.
std::uint32_t rounded_bits(double value);

}  // namespace warpfork::simt
