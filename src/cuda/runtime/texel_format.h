// What a texel holds (CUDA Runtime API, "Data types", cudaChannelFormatDesc).
#pragma once

#include <driver_types.h>

#include <cstdint>

#include "simt/image/image.h"

namespace warpfork::cuda {

/// One, two or four channels of 8, 16 or 32 bits, all alike; floats of 16 or 32.
struct TexelFormat {
  /// Throws ApiError: cudaErrorInvalidChannelDescriptor for what is no format, cudaErrorNotSupported, with a text, for
  /// formats that this runtime does not have.
  explicit TexelFormat(const cudaChannelFormatDesc& description);

  unsigned bytes() const { return channels * channel_bytes; }
  bool operator==(const TexelFormat&) const = default;
  /// The name that a resource view has for it.
  cudaResourceViewFormat view_format() const;

  simt::Image::Channel channel;
  std::uint8_t channels, channel_bytes;
};

}  // namespace warpfork::cuda
