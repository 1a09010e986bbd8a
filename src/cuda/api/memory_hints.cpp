// CUDA Runtime API, "Memory Management": hints about managed memory, and what a program has given.
#include "cuda/api/memory_hints.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "cuda/api/call.h"
#include "cuda/api/embedding.h"
#include "cuda/runtime/enumeration.h"

namespace warpfork::cuda {

namespace {

std::uint64_t number_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// CUDA allows the host's own memory, too, on devices that read it by themselves: the simulated ones do not.
void require_managed(Runtime& runtime, const void* memory, std::size_t bytes) {
  require(bytes != 0 && runtime.memory().range_of(memory).holds(number_of(memory), bytes), cudaErrorInvalidValue);
  require(runtime.type_of(memory) == cudaMemoryTypeManaged, cudaErrorInvalidValue);
}

void require_place(int device) { require(device == 0 || device == cudaCpuDeviceId, cudaErrorInvalidDevice); }

void apply(MemoryAdvice::Advice& to, int advice, int device) {
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      to.is_mostly_read = advice == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      to.preferred = device;
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      to.preferred = cudaInvalidDeviceId;
      break;
    default:
      (device == 0 ? to.is_accessed_by_device : to.is_accessed_by_host) = advice == cudaMemAdviseSetAccessedBy;
  }
}

bool names_a_place(int advice) {
  return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
         advice == cudaMemAdviseUnsetAccessedBy;
}

int location_type(int device) {
  if (device == cudaInvalidDeviceId) return cudaMemLocationTypeInvalid;
  return device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

int value_of(const MemoryAdvice::Advice& advice, int attribute) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return advice.is_mostly_read;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
      return advice.preferred;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return advice.prefetched;
    case cudaMemRangeAttributePreferredLocationType:
      return location_type(advice.preferred);
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return location_type(advice.prefetched);
    default:
      throw ApiError(cudaErrorInvalidValue);
  }
}

/// The places, and what is none in the rest of the array.
std::vector<int> accessing(const MemoryAdvice::Advice& advice, std::size_t room) {
  std::vector<int> places;
  if (advice.is_accessed_by_device) places.push_back(0);
  if (advice.is_accessed_by_host) places.push_back(cudaCpuDeviceId);
  places.resize(room, cudaInvalidDeviceId);
  return places;
}

void give_attribute(Runtime& runtime, void* to, std::size_t bytes, int attribute, const void* memory,
                    std::size_t count) {
  require(to != nullptr && bytes != 0 && bytes % sizeof(int) == 0, cudaErrorInvalidValue);
  require_managed(runtime, memory, count);
  const MemoryAdvice::Advice advice = runtime.memory().advice().of(number_of(memory), count);
  const std::vector<int> values = attribute == cudaMemRangeAttributeAccessedBy
                                      ? accessing(advice, bytes / sizeof(int))
                                      : std::vector<int>{value_of(advice, attribute)};
  require(values.size() * sizeof(int) == bytes, cudaErrorInvalidValue);
  std::memcpy(to, values.data(), bytes);
}

/// Programs of CUDA 11 and 12 pass a device where those of 13 pass a location.
bool passes_locations() {
  constexpr int kFirstVersionWithLocations = 13000;
  return kEmbedding.runtime_version >= kFirstVersionWithLocations;
}

}  // namespace

int device_of_location(unsigned long long location) {
  const auto type = static_cast<int>(location & 0xffffffff), number = static_cast<int>(location >> 32);
  require(type >= cudaMemLocationTypeDevice && type <= cudaMemLocationTypeHostNumaCurrent, cudaErrorInvalidValue);
  return type == cudaMemLocationTypeDevice ? number : cudaCpuDeviceId;
}

void advise(Runtime& runtime, const void* memory, std::size_t bytes, int advice, int device) {
  require(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy, cudaErrorInvalidValue);
  if (names_a_place(advice)) require_place(device);
  require_managed(runtime, memory, bytes);
  runtime.memory().advice().change(number_of(memory), bytes,
                                   [&](MemoryAdvice::Advice& of_part) { apply(of_part, advice, device); });
}

void advise_of_location(Runtime& runtime, const void* memory, std::size_t bytes, int advice,
                        unsigned long long location) {
  advise(runtime, memory, bytes, advice, names_a_place(advice) ? device_of_location(location) : cudaInvalidDeviceId);
}

void prefetch(Runtime& runtime, const void* memory, std::size_t bytes, int device) {
  require_place(device);
  require_managed(runtime, memory, bytes);
  runtime.memory().advice().change(number_of(memory), bytes,
                                   [&](MemoryAdvice::Advice& of_part) { of_part.prefetched = device; });
}

}  // namespace warpfork::cuda

using namespace warpfork::cuda;

extern "C" {

cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                          unsigned long long device_or_location) {
  return call([&](Runtime& runtime) {
    if (passes_locations())
      advise_of_location(runtime, memory, bytes, number_in(advice), device_or_location);
    else
      advise(runtime, memory, bytes, number_in(advice), static_cast<int>(device_or_location));
  });
}

cudaError_t cudaMemAdvise_v2(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                             unsigned long long location) {
  return call([&](Runtime& runtime) { advise_of_location(runtime, memory, bytes, number_in(advice), location); });
}

/// Behind it the stream, in CUDA 13 the flags and the stream.
cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, unsigned long long device_or_location) {
  return call([&](Runtime& runtime) {
    prefetch(runtime, memory, bytes,
             passes_locations() ? device_of_location(device_or_location) : static_cast<int>(device_or_location));
  });
}

cudaError_t cudaMemPrefetchAsync_v2(const void* memory, std::size_t bytes, unsigned long long location) {
  return call([&](Runtime& runtime) { prefetch(runtime, memory, bytes, device_of_location(location)); });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t bytes, cudaMemRangeAttribute attribute, const void* memory,
                                     std::size_t count) {
  return call([&](Runtime& runtime) { give_attribute(runtime, data, bytes, attribute, memory, count); });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* bytes, cudaMemRangeAttribute* attributes,
                                      std::size_t attribute_count, const void* memory, std::size_t count) {
  return call([&](Runtime& runtime) {
    require(data != nullptr && bytes != nullptr && attributes != nullptr, cudaErrorInvalidValue);
    for (std::size_t i = 0; i < attribute_count; ++i)
      give_attribute(runtime, data[i], bytes[i], number_in(attributes[i]), memory, count);
  });
}

}  // extern "C"
