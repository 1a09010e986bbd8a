#include "cuda/runtime/texel_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cuda/runtime/api_error.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda {

namespace {

simt::Image::Channel channel_of(int kind) {
  switch (kind) {
    case cudaChannelFormatKindSigned:
      return simt::Image::Channel::Signed;
    case cudaChannelFormatKindUnsigned:
      return simt::Image::Channel::Unsigned;
    case cudaChannelFormatKindFloat:
      return simt::Image::Channel::Float;
    default:
      break;
  }
  constexpr int kLastKind = 31;  // of CUDA 13.0
  if (kind > cudaChannelFormatKindNone && kind <= kLastKind)
    throw ApiError(cudaErrorNotSupported,
                   fmt::format("texels of cudaChannelFormatKind {} (normalized, planar or compressed) are not "
                               "supported: only signed, unsigned and float channels are",
                               kind));
  throw ApiError(cudaErrorInvalidChannelDescriptor);
}

}  // namespace

TexelFormat::TexelFormat(const cudaChannelFormatDesc& description) : channel(channel_of(number_in(description.f))) {
  const int bits[] = {description.x, description.y, description.z, description.w};
  const auto end = std::ranges::find(bits, 0);
  const auto count = end - bits;
  const bool is_integer = channel != simt::Image::Channel::Float;
  const bool is_known = (bits[0] == 8 && is_integer) || bits[0] == 16 || bits[0] == 32;
  if (!is_known || (count != 1 && count != 2 && count != 4) ||
      !std::all_of(bits, end, [&](int of_channel) { return of_channel == bits[0]; }) ||
      !std::all_of(end, std::end(bits), [](int of_channel) { return of_channel == 0; }))
    throw ApiError(cudaErrorInvalidChannelDescriptor);
  channels = static_cast<std::uint8_t>(count);
  channel_bytes = static_cast<std::uint8_t>(bits[0] / 8);
}

/// They stand one after the other by width, then by kind (unsigned, signed), then by channels.
cudaResourceViewFormat TexelFormat::view_format() const {
  const int of_channels = std::countr_zero(channels);
  if (channel == simt::Image::Channel::Float)
    return static_cast<cudaResourceViewFormat>((channel_bytes == 2 ? cudaResViewFormatHalf1 : cudaResViewFormatFloat1) +
                                               of_channels);
  constexpr int kOfWidth = cudaResViewFormatUnsignedShort1 - cudaResViewFormatUnsignedChar1;
  constexpr int kOfKind = cudaResViewFormatSignedChar1 - cudaResViewFormatUnsignedChar1;
  return static_cast<cudaResourceViewFormat>(cudaResViewFormatUnsignedChar1 +
                                             kOfWidth * std::countr_zero(channel_bytes) +
                                             (channel == simt::Image::Channel::Signed ? kOfKind : 0) + of_channels);
}

}  // namespace warpfork::cuda
