// CUDA Driver API, "Initialization", "Version Management", "Device Management" and "Profiler Control".
#include <string>

#include "cuda/api/embedding.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/later_calls.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

extern "C" {

CUresult cuInit(unsigned flags) {
  return answer_of([&] {
    return guarded_call([&](Process& process) {
      require(flags == 0, cudaErrorInvalidValue);
      process.runtime().expect_loaded_code();
      process.contexts().initialise();
    });
  });
}

CUresult cuDriverGetVersion(int* version) {
  return answer_of([&] { return guarded_call([&](Process&) { required(version) = kDriverVersion; }); });
}

CUresult cuDeviceGetCount(int* count) {
  return after_init([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return after_init([&] {
    return call_of_process([&](Runtime&) {
      require_device(ordinal);
      required(device) = ordinal;
    });
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return after_init([&] {
    return call_of_process([&](Runtime& runtime) {
      require_device(device);
      require(name != nullptr && length > 0, cudaErrorInvalidValue);
      const std::string known = runtime.device().name;
      name[known.copy(name, static_cast<std::size_t>(length - 1))] = '\0';
    });
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return after_init([&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return after_init([&] {
    return call_of_process([&](Runtime& runtime) {
      require_device(device);
      required(bytes) = runtime.memory().capacity_bytes();
    });
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return after_init([&] {
    return call_of_process([&](Runtime& runtime) {
      require_device(device);
      required(major) = runtime.device().compute_capability / 10;
      required(minor) = runtime.device().compute_capability % 10;
    });
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return after_init([&] {
    return call_of_process([&](Runtime&) {
      require_device(device);
      required(uuid) = {};  // as cudaDeviceProp has it
    });
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return after_init([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return after_init([&] { return cudaDeviceGetByPCIBusId(device, id); });
}

CUresult cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  return after_init([&] { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}

CUresult cuProfilerStart() { return in_context(cudaProfilerStart); }
CUresult cuProfilerStop() { return in_context(cudaProfilerStop); }

}  // extern "C"
