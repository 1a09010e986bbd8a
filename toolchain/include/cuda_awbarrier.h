/* The barriers of cuda_awbarrier_primitives.h as a class, which a `__shared__` variable may be. */
#pragma once

#include <warpfork/hide_macros.h>

#include <cuda_awbarrier_primitives.h>

#if defined(__CUDA__) && defined(__clang__)
WARPFORK_LINES_OF_CALLERS
namespace nvcuda {
namespace experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    WARPFORK_DEVICE uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    WARPFORK_DEVICE arrival_token(__mbarrier_token_t token) : token_(token) {}

    __mbarrier_token_t token_;
    friend awbarrier;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  WARPFORK_DEVICE arrival_token arrive() { return __mbarrier_arrive(&barrier_); }
  WARPFORK_DEVICE arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&barrier_); }
  WARPFORK_DEVICE void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier_, token.token_)) continue;
  }
  WARPFORK_DEVICE void arrive_and_wait() { wait(arrive()); }

  /* Whether it was over in so many cycles. */
  WARPFORK_DEVICE bool timed_wait(arrival_token token, uint32_t cycles) {
    return within(cycles, [&] { return __mbarrier_test_wait(&barrier_, token.token_); });
  }
  WARPFORK_DEVICE bool timed_wait_parity(bool parity, uint32_t cycles) {
    return within(cycles, [&] { return __mbarrier_test_wait_parity(&barrier_, parity); });
  }
  WARPFORK_DEVICE bool try_wait(arrival_token token, uint32_t nanoseconds) {
    return __mbarrier_try_wait(&barrier_, token.token_, nanoseconds);
  }
  WARPFORK_DEVICE bool try_wait_parity(bool parity, uint32_t nanoseconds) {
    return __mbarrier_try_wait_parity(&barrier_, parity, nanoseconds);
  }

  static __host__ __device__ constexpr uint32_t max() { return (1 << 20) - 1; }

 private:
  template <class IsOver>
  static WARPFORK_DEVICE bool within(uint32_t cycles, IsOver is_over) {
    const long long start = clock64();
    do
      if (is_over()) return true;
    while (clock64() - start < cycles);
    return false;
  }

  __mbarrier_t barrier_;
  friend WARPFORK_DEVICE void init(awbarrier* barrier, uint32_t count) { __mbarrier_init(&barrier->barrier_, count); }
  friend WARPFORK_DEVICE void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->barrier_); }
};

}  // namespace experimental
}  // namespace nvcuda
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
