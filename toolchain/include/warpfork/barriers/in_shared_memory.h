/* A barrier of a block's threads in shared memory: from sm_80 on one of PTX's, before that a word. */
#pragma once

#include <cuda_awbarrier.h>

#include <cstddef>

#if defined(__CUDA__) && defined(__clang__)
WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

class barrier_in_shared_memory {
 public:
  using arrival_token = nvcuda::experimental::awbarrier::arrival_token;

  barrier_in_shared_memory() = default;
  WARPFORK_DEVICE explicit barrier_in_shared_memory(ptrdiff_t expected) { begin(expected); }

  WARPFORK_DEVICE void begin(ptrdiff_t expected) { init(&barrier_, static_cast<uint32_t>(expected)); }
  WARPFORK_DEVICE arrival_token arrive(ptrdiff_t count = 1) {
    for (; count > 1; --count) (void)barrier_.arrive();
    return barrier_.arrive();
  }
  WARPFORK_DEVICE void arrive_and_drop() { (void)barrier_.arrive_and_drop(); }
  WARPFORK_DEVICE bool try_wait(const arrival_token& token) { return barrier_.timed_wait(token, 0); }
  WARPFORK_DEVICE bool try_wait_parity(bool parity) { return barrier_.timed_wait_parity(parity, 0); }
  WARPFORK_DEVICE __mbarrier_t* native_handle() { return reinterpret_cast<__mbarrier_t*>(&barrier_); }

 private:
  nvcuda::experimental::awbarrier barrier_;
};

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
#endif
