#include "cuda/runtime/cuda_arrays.h"

#include <fmt/format.h>

#include "cuda/runtime/api_error.h"
#include "cuda/runtime/image_limits.h"

namespace warpfork::cuda {

namespace {

constexpr unsigned kArrayFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;

struct OtherArrays {
  unsigned flag;
  const char* name;
};
constexpr OtherArrays kOtherArrays[] = {{cudaArrayCubemap, "cudaArrayCubemap"},
                                        {cudaArrayColorAttachment, "cudaArrayColorAttachment"},
                                        {cudaArraySparse, "cudaArraySparse"},
                                        {cudaArrayDeferredMapping, "cudaArrayDeferredMapping"}};

void require_array_flags(unsigned flags) {
  for (const auto& [flag, name] : kOtherArrays)
    if ((flags & flag) != 0)
      throw ApiError(cudaErrorNotSupported, fmt::format("arrays with {} are not supported", name));
  if ((flags & ~kArrayFlags) != 0) throw ApiError(cudaErrorInvalidValue);
}

struct ArrayLimits {
  ImageLimit texture, surface;
};

/// Of the kind of array that extent and flags name (CUDA Runtime API, table of cudaMalloc3DArray).
ArrayLimits limits_of(const cudaExtent& extent, unsigned flags) {
  const bool has_rows = extent.height != 0;
  if ((flags & cudaArrayLayered) != 0)
    return has_rows ? ArrayLimits{kTexture2DLayered, kSurface2DLayered}
                    : ArrayLimits{kTexture1DLayered, kSurface1DLayered};
  if (extent.depth != 0) return {kTexture3D, kSurface3D};
  return has_rows ? ArrayLimits{kTexture2D, kSurface2D} : ArrayLimits{kTexture1D, kSurface1D};
}

/// Dimensions that a kind of array has begin at 1.
bool is_within(const cudaExtent& extent, const ImageLimit& limit) {
  const auto holds = [](std::size_t size, std::uint32_t most) { return size <= most && (size == 0) == (most == 0); };
  return holds(extent.width, limit.width) && holds(extent.height, limit.height) && holds(extent.depth, limit.depth);
}

void require_array_extent(const cudaExtent& extent, unsigned flags) {
  const ArrayLimits limits = limits_of(extent, flags);
  const bool is_gathered = (flags & cudaArrayTextureGather) != 0;
  if (!is_within(extent, limits.texture) ||
      ((flags & cudaArraySurfaceLoadStore) && !is_within(extent, limits.surface)) ||
      (is_gathered && ((flags & cudaArrayLayered) || !is_within(extent, kTexture2DGather))))
    throw ApiError(cudaErrorInvalidValue);
}

}  // namespace

cudaArray_t CudaArrays::create(const cudaChannelFormatDesc& description, const cudaExtent& extent, unsigned flags) {
  require_array_flags(flags);
  CudaArray array{description, TexelFormat(description), extent, flags};
  require_array_extent(extent, flags);
  array.address =
      reinterpret_cast<std::uintptr_t>(memory_.allocate(array.bytes(), cudaMemoryTypeDevice, "cudaMallocArray"));
  const auto handle = reinterpret_cast<cudaArray_t>(next_++);
  arrays_.emplace(handle, array);
  return handle;
}

void CudaArrays::destroy(cudaArray_t handle) {
  if (handle == nullptr) return;
  memory_.free(reinterpret_cast<void*>(find(handle).address));
  arrays_.erase(handle);
}

const CudaArray& CudaArrays::find(cudaArray_const_t handle) const {
  const auto found = arrays_.find(handle);
  if (found == arrays_.end()) throw ApiError(cudaErrorInvalidValue);
  return found->second;
}

}  // namespace warpfork::cuda
