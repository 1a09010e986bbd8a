// CUDA's two APIs, "Memory Management": hints about managed memory.
#pragma once

#include "cuda/runtime/runtime.h"

namespace warpfork::cuda {

/// What CUDA 12.2 has put in the place of a device: two words by value, of which the lower one says what the upper one
/// numbers. All memory of the host is one place. Throws ApiError(cudaErrorInvalidValue) for what is no place.
int device_of_location(unsigned long long location);

/// Throws ApiError: cudaErrorInvalidValue for what is no advice, and for memory that is not all one managed
/// allocation's or variable's; cudaErrorInvalidDevice for a place that there is not.
void advise(Runtime& runtime, const void* memory, std::size_t bytes, int advice, int device);
/// The same; advice that is about no place ignores the location.
void advise_of_location(Runtime& runtime, const void* memory, std::size_t bytes, int advice,
                        unsigned long long location);
void prefetch(Runtime& runtime, const void* memory, std::size_t bytes, int device);

}  // namespace warpfork::cuda
