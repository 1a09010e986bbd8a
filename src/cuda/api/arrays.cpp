// CUDA Runtime API, "Memory Management": arrays. Mipmapped ones are refused by name.
#include "cuda/api/call.h"

using namespace warpfork::cuda;

extern "C" {

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  return call([&](Runtime& runtime) {
    require(array != nullptr, cudaErrorInvalidValue);
    *array = runtime.arrays().create(required(format), extent, flags);
  });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned flags) {
  constexpr unsigned kFlagsOf3D = cudaArrayLayered | cudaArrayCubemap;
  return call([&](Runtime& runtime) {
    require(array != nullptr && (flags & kFlagsOf3D) == 0, cudaErrorInvalidValue);
    *array = runtime.arrays().create(required(format), {width, height, 0}, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return call([&](Runtime& runtime) { runtime.arrays().destroy(array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call([&](Runtime& runtime) {
    const CudaArray& asked = runtime.arrays().find(array);
    if (format != nullptr) *format = asked.description;
    if (extent != nullptr) *extent = asked.extent;
    if (flags != nullptr) *flags = asked.flags;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return call([&](Runtime& runtime) { required(format) = runtime.arrays().find(array).description; });
}

}  // extern "C"
