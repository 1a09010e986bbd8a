// What a texture or surface reads, and how, in the driver API's structures and in the runtime API's (CUDA Driver API,
// "Data types", CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC).
#pragma once

#include <cuda.h>

#include "cuda/runtime/runtime.h"

namespace warpfork::cuda::driver {

/// That a texture may have.
inline constexpr unsigned kTextureFlags =
    CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;

/// Throws ApiError as description_of(), and with cudaErrorInvalidValue for flags.
cudaResourceDesc runtime_form(const CUDA_RESOURCE_DESC& resource);
CUDA_RESOURCE_DESC driver_form(const cudaResourceDesc& resource);

/// Throws ApiError with cudaErrorInvalidValue for resources and flags that there are none of, with
/// cudaErrorNotSupported and a text for mipmapped arrays.
ImageObjects::Texture runtime_form(Runtime& runtime, const CUDA_RESOURCE_DESC& resource,
                                   const CUDA_TEXTURE_DESC& description);
CUDA_TEXTURE_DESC driver_form(Runtime& runtime, const ImageObjects::Texture& texture);

}  // namespace warpfork::cuda::driver
