/* A thread as a group, for copies of its own. */
#pragma once

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)
namespace cuda {
namespace detail {

struct alone {
  static WARPFORK_DEVICE unsigned thread_rank() { return 0; }
  static WARPFORK_DEVICE unsigned size() { return 1; }
};

}  // namespace detail
}  // namespace cuda
#endif
