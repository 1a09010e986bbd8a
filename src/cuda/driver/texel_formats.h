// What a texel holds, as the driver API says it (CUDA Driver API, "Data types", CUarray_format).
#pragma once

#include <cuda.h>

#include "cuda/runtime/texel_format.h"

namespace warpfork::cuda::driver {

/// Throws ApiError: cudaErrorNotSupported with a text for normalized, planar and compressed formats,
/// cudaErrorInvalidValue where there is none of so many channels.
cudaChannelFormatDesc description_of(const CUarray_format& format, unsigned channels);

CUarray_format format_of(const TexelFormat& format);

}  // namespace warpfork::cuda::driver
