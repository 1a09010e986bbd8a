// The driver API's names for the runtime API's arrays.
#pragma once

#include <cuda.h>

namespace warpfork::cuda::driver {

inline cudaArray_t array_of_runtime(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline CUarray array_handle(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }

}  // namespace warpfork::cuda::driver
