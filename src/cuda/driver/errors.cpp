// CUDA Driver API, "Error Handling".
#include "cuda/driver/driver_call.h"

namespace warpfork::cuda::driver {

CUresult result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      break;
  }
  switch (static_cast<int>(error)) {
#define DRIVER_ERROR(name, number, text) \
  case number:                           \
    return name;
#include <warpfork/driver/errors.def>
#undef DRIVER_ERROR
    default:  // of arguments: configurations, pitches, directions, pointers
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace warpfork::cuda::driver

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define DRIVER_ERROR(code, number, text) \
  case code:                             \
    *name = #code;                       \
    return CUDA_SUCCESS;
#include <warpfork/driver/errors.def>
#undef DRIVER_ERROR
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define DRIVER_ERROR(code, number, description) \
  case code:                                    \
    *text = description;                        \
    return CUDA_SUCCESS;
#include <warpfork/driver/errors.def>
#undef DRIVER_ERROR
  }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
