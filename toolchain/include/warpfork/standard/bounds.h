/* What happens with an index that is too large: the thread is trapped, the host's process ends. */
#pragma once

#include <warpfork/standard/language.h>

#include <cstdlib>

WARPFORK_LINES_OF_CALLERS
namespace cuda::std::detail {

[[noreturn]] __host__ __device__ inline void fail() {
#ifdef __CUDA_ARCH__
  __trap();
  __builtin_unreachable();
#else
  ::abort();
#endif
}

constexpr void require_within(size_t index, size_t count) {
  if (index >= count) fail();
}

}  // namespace cuda::std::detail
WARPFORK_LINES_OF_FUNCTIONS
