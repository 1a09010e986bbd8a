/* Waiting for so long, by the device's nanoseconds or the host's clock. */
#pragma once

#include <cuda_runtime.h>

#include <chrono>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

inline __host__ __device__ long long nanoseconds_now() {
#ifdef __CUDA_ARCH__
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
  return now;
#else
  return ::std::chrono::nanoseconds(::std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

template <class Duration, class IsOver>
__host__ __device__ bool within(const Duration& time, IsOver is_over) {
  const long long start = nanoseconds_now();
  const long long most = ::std::chrono::duration_cast<::std::chrono::nanoseconds>(time).count();
  do
    if (is_over()) return true;
  while (nanoseconds_now() - start < most);
  return false;
}

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
