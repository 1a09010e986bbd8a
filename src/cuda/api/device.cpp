// CUDA Runtime API, "Device Management", "Version Management" and "Profiler Control".
#include <cstring>

#include "cuda/api/call.h"
#include "cuda/api/device_properties.h"
#include "cuda/api/embedding.h"

using namespace warpfork::cuda;

namespace {

constexpr const char* kBusId = "0000:00:00.0";
constexpr int kFirstVersionWithItsOwnLayout = 13000;
constexpr int kLastAttribute = 147;      // of CUDA 13.0
constexpr unsigned kDeviceFlags = 0xff;  // cudaDeviceMask

cudaError_t fill_properties(void* properties, int device, std::size_t bytes) {
  return call([&](Runtime& runtime) {
    require_device(device);
    require(properties != nullptr, cudaErrorInvalidValue);
    const cudaDeviceProp p = device_properties(runtime.device(), runtime.memory().is_shared());
    if (kEmbedding.runtime_version < kFirstVersionWithItsOwnLayout) {
      std::memcpy(properties, &p, bytes);
    } else {
      const DeviceProperties13 p13 = device_properties_13(p);
      std::memcpy(properties, &p13, sizeof p13);
    }
  });
}

cudaError_t synchronize() {
  return call([](Runtime&) {});
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call_of_process([&](Runtime&) { required(count) = 1; });
}

cudaError_t cudaGetDevice(int* device) {
  return call_of_process([&](Runtime&) { required(device) = 0; });
}

/// Makes the device's primary context the thread's, as the driver API sees it, from CUDA 12 on at once.
cudaError_t cudaSetDevice(int device) {
  return call_of_process([&](Runtime&) {
    require_device(device);
    Process::instance().contexts().make_primary_current();
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError_t cudaSetValidDevices(int*, int) { return synchronize(); }

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([&](Runtime&) { require_flags(flags, kDeviceFlags); });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call([&](Runtime&) { required(flags) = cudaDeviceScheduleAuto; });
}

// CUDA 12 kept the old name for programs of CUDA 11 and gave its own structure a new one.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return fill_properties(properties, device, kDeviceProperties11Bytes);
}

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return fill_properties(properties, device, sizeof(cudaDeviceProp));
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_of_process([&](Runtime& runtime) {
    require_device(device);
    require(attribute > 0 && attribute <= kLastAttribute, cudaErrorInvalidValue);
    required(value) = device_attribute(runtime.device(), runtime.memory().is_shared(), attribute);
  });
}

cudaError_t cudaDeviceSynchronize() { return synchronize(); }
cudaError_t cudaThreadSynchronize() { return synchronize(); }

cudaError_t cudaDeviceReset() {
  return call_of_process([](Runtime& runtime) { runtime.reset(); });
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return call([&](Runtime& runtime) {
    require(limit < runtime.limits().size(), cudaErrorInvalidValue);
    if (limit == cudaLimitStackSize) runtime.registry().set_stack_bytes(value);
    runtime.limits()[limit] = value;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return call([&](Runtime& runtime) {
    require(limit < runtime.limits().size(), cudaErrorInvalidValue);
    required(value) = runtime.limits()[limit];
  });
}

cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) { return cudaDeviceSetLimit(limit, value); }

// Hints: the simulated machine's split of cache and shared memory is its description's.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return synchronize(); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return synchronize(); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return synchronize(); }

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&](Runtime&) { required(config) = cudaFuncCachePreferNone; });
}

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call([&](Runtime&) { required(config) = cudaSharedMemBankSizeFourByte; });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Runtime&) {
    if (least) *least = Timeline::kLeastPriority;
    if (greatest) *greatest = Timeline::kGreatestPriority;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call_of_process([&](Runtime&) {
    require_device(device);
    require(id && length > static_cast<int>(std::strlen(kBusId)), cudaErrorInvalidValue);
    std::strcpy(id, kBusId);
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call_of_process([&](Runtime&) {
    require(std::strchr(&required(id), ':') != nullptr, cudaErrorInvalidValue);  // no address of a device
    require(std::strcmp(id, kBusId) == 0, cudaErrorInvalidDevice);
    required(device) = 0;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return call_of_process([&](Runtime&) {
    require_device(device);
    require_device(peer);
    required(can_access) = 0;
  });
}

// There is no other device that could be a peer.
cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned) {
  return call([&](Runtime&) {
    require_device(device);
    throw ApiError(cudaErrorPeerAccessUnsupported);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int device) { return cudaDeviceEnablePeerAccess(device, 0); }

/// Of two devices, which there are not.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return call_of_process([&](Runtime&) {
    require(value != nullptr && attribute >= cudaDevP2PAttrPerformanceRank &&
                attribute <= cudaDevP2PAttrCudaArrayAccessSupported,
            cudaErrorInvalidValue);
    require_device(from);
    require_device(to);
    throw ApiError(cudaErrorInvalidDevice);
  });
}

// No line of the cache stays longer than others.
cudaError_t cudaCtxResetPersistingL2Cache() { return synchronize(); }

cudaError_t cudaDriverGetVersion(int* version) {
  return guarded_call([&](Process&) { required(version) = kDriverVersion; });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return guarded_call([&](Process&) { required(version) = kEmbedding.runtime_version; });
}

cudaError_t cudaProfilerStart() { return synchronize(); }
cudaError_t cudaProfilerStop() { return synchronize(); }

}  // extern "C"
