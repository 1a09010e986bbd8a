#include "cuda/driver/image_forms.h"

#include <algorithm>
#include <cstring>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/image_handles.h"
#include "cuda/driver/texel_formats.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda::driver {

namespace {

TexelFormat format_read(Runtime& runtime, const cudaResourceDesc& resource) {
  switch (number_in(resource.resType)) {
    case cudaResourceTypeArray:
      return runtime.arrays().find(resource.res.array.array).format;
    case cudaResourceTypeLinear:
      return TexelFormat(resource.res.linear.desc);
    case cudaResourceTypePitch2D:
      return TexelFormat(resource.res.pitch2D.desc);
    case cudaResourceTypeMipmappedArray:
      throw ApiError(cudaErrorNotSupported, "textures of mipmapped arrays are not supported");
    default:
      throw ApiError(cudaErrorInvalidValue);
  }
}

/// What both APIs have under the same names and numbers. The levels of mipmapped arrays are only told again.
template <typename To, typename From>
void copy_alike(To& to, const From& from) {
  std::memcpy(to.addressMode, from.addressMode, sizeof to.addressMode);
  std::memcpy(&to.filterMode, &from.filterMode, sizeof to.filterMode);
  to.maxAnisotropy = from.maxAnisotropy;
  std::memcpy(&to.mipmapFilterMode, &from.mipmapFilterMode, sizeof to.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::ranges::copy(from.borderColor, to.borderColor);
}

/// Integers of 8 and 16 bits are read as fractions unless a flag says otherwise, others as they are whatever it says.
cudaTextureDesc description_read(const CUDA_TEXTURE_DESC& of, const TexelFormat& format) {
  require_flags(of.flags, kTextureFlags);
  const bool may_be_fractions = format.channel != simt::Image::Channel::Float && format.channel_bytes <= 2;
  cudaTextureDesc description{};
  description.readMode = may_be_fractions && (of.flags & CU_TRSF_READ_AS_INTEGER) == 0 ? cudaReadModeNormalizedFloat
                                                                                       : cudaReadModeElementType;
  description.sRGB = (of.flags & CU_TRSF_SRGB) != 0;
  description.normalizedCoords = (of.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  description.disableTrilinearOptimization = (of.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  copy_alike(description, of);
  return description;
}

}  // namespace

/// Both APIs number the kinds of resources alike.
cudaResourceDesc runtime_form(const CUDA_RESOURCE_DESC& of) {
  require(of.flags == 0, cudaErrorInvalidValue);
  cudaResourceDesc resource{};
  std::memcpy(&resource.resType, &of.resType, sizeof resource.resType);
  switch (number_in(of.resType)) {
    case CU_RESOURCE_TYPE_ARRAY:
      resource.res.array.array = array_of_runtime(of.res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      resource.res.linear = {pointer_of(of.res.linear.devPtr),
                             description_of(of.res.linear.format, of.res.linear.numChannels),
                             of.res.linear.sizeInBytes};
      break;
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = of.res.pitch2D;
      resource.res.pitch2D = {pointer_of(rows.devPtr), description_of(rows.format, rows.numChannels), rows.width,
                              rows.height, rows.pitchInBytes};
      break;
    }
    default:
      break;
  }
  return resource;
}

CUDA_RESOURCE_DESC driver_form(const cudaResourceDesc& of) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = static_cast<CUresourcetype>(of.resType);
  const auto address = [](const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); };
  if (of.resType == cudaResourceTypeArray) {
    resource.res.array.hArray = array_handle(of.res.array.array);
  } else if (of.resType == cudaResourceTypeLinear) {
    const TexelFormat format(of.res.linear.desc);
    resource.res.linear = {address(of.res.linear.devPtr), format_of(format), format.channels,
                           of.res.linear.sizeInBytes};
  } else if (of.resType == cudaResourceTypePitch2D) {
    const auto& rows = of.res.pitch2D;
    const TexelFormat format(rows.desc);
    resource.res.pitch2D = {address(rows.devPtr), format_of(format), format.channels,
                            rows.width,           rows.height,       rows.pitchInBytes};
  }
  return resource;
}

ImageObjects::Texture runtime_form(Runtime& runtime, const CUDA_RESOURCE_DESC& resource,
                                   const CUDA_TEXTURE_DESC& description) {
  ImageObjects::Texture texture{runtime_form(resource), {}, {}};
  texture.description = description_read(description, format_read(runtime, texture.resource));
  return texture;
}

CUDA_TEXTURE_DESC driver_form(Runtime& runtime, const ImageObjects::Texture& texture) {
  const cudaTextureDesc& of = texture.description;
  CUDA_TEXTURE_DESC description{};
  const bool is_integer = format_read(runtime, texture.resource).channel != simt::Image::Channel::Float;
  if (is_integer && of.readMode == cudaReadModeElementType) description.flags |= CU_TRSF_READ_AS_INTEGER;
  if (of.normalizedCoords != 0) description.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (of.disableTrilinearOptimization != 0) description.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  copy_alike(description, of);
  return description;
}

}  // namespace warpfork::cuda::driver
