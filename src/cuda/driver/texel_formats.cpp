#include "cuda/driver/texel_formats.h"

#include <fmt/format.h>

#include <bit>

#include "cuda/runtime/api_error.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda::driver {

namespace {

struct Channel {
  int bits;
  cudaChannelFormatKind kind;
};

/// Integers stand one after the other by width, the signed ones from 8 on.
Channel channel_of_format(int format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return {8 << (format - CU_AD_FORMAT_UNSIGNED_INT8), cudaChannelFormatKindUnsigned};
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT32:
      return {8 << (format - CU_AD_FORMAT_SIGNED_INT8), cudaChannelFormatKindSigned};
    case CU_AD_FORMAT_HALF:
      return {16, cudaChannelFormatKindFloat};
    case CU_AD_FORMAT_FLOAT:
      return {32, cudaChannelFormatKindFloat};
    default:
      throw ApiError(cudaErrorNotSupported,
                     fmt::format("texels of CUarray_format {} (normalized, planar or compressed) are not supported: "
                                 "only signed, unsigned and float channels are",
                                 format));
  }
}

}  // namespace

cudaChannelFormatDesc description_of(const CUarray_format& format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) throw ApiError(cudaErrorInvalidValue);
  const auto [bits, kind] = channel_of_format(number_in(format));
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

CUarray_format format_of(const TexelFormat& format) {
  if (format.channel == simt::Image::Channel::Float)
    return format.channel_bytes == 2 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int first =
      format.channel == simt::Image::Channel::Signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<CUarray_format>(first + std::countr_zero(format.channel_bytes));
}

}  // namespace warpfork::cuda::driver
