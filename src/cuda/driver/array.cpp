// CUDA Driver API, "Memory Management": arrays. An array's handle is the runtime API's.
#include "cuda/driver/driver_call.h"
#include "cuda/driver/image_handles.h"
#include "cuda/driver/texel_formats.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return on_device([&](Runtime& runtime) {
    const CUDA_ARRAY3D_DESCRIPTOR& asked = required(descriptor);
    CUarray& created = required(array);
    created = array_handle(runtime.arrays().create(description_of(asked.Format, asked.NumChannels),
                                                   {asked.Width, asked.Height, asked.Depth}, asked.Flags));
  });
}

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  CUDA_ARRAY3D_DESCRIPTOR in_3d{};
  if (descriptor != nullptr)
    in_3d = {descriptor->Width, descriptor->Height, 0, descriptor->Format, descriptor->NumChannels, 0};
  return cuArray3DCreate_v2(array, descriptor == nullptr ? nullptr : &in_3d);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  return on_device_by_name([&](Runtime& runtime) {
    const CudaArray& asked = runtime.arrays().find(array_of_runtime(array));
    required(descriptor) = {asked.extent.width,      asked.extent.height,   asked.extent.depth,
                            format_of(asked.format), asked.format.channels, asked.flags};
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  return on_device_by_name([&](Runtime& runtime) {
    const CudaArray& asked = runtime.arrays().find(array_of_runtime(array));
    required(descriptor) = {asked.extent.width, asked.extent.height, format_of(asked.format), asked.format.channels};
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return on_device_by_name([&](Runtime& runtime) {
    runtime.arrays().find(array_of_runtime(array));
    runtime.arrays().destroy(array_of_runtime(array));
  });
}

}  // extern "C"
