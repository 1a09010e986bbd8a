/* A barrier anywhere in memory, for threads of any scope, at which something may be done when all have come: how many
   arrive in each phase, above 32 bits of which the top one is the phase's parity, the others how many are missing. */
#pragma once

#include <cuda/atomic>

#include <cstddef>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace detail {

/* What is done when all have come, where nothing is. */
struct no_completion {
  __host__ __device__ void operator()() const {}
};

template <thread_scope Scope, class Completion>
class arrivals {
  using word = unsigned long long;
  static constexpr word kOneArrival = 1, kOneExpected = word(1) << 32, kPhase = word(1) << 31;

 public:
  class arrival_token {
    friend class arrivals;
    __host__ __device__ explicit arrival_token(bool parity) : parity_(parity) {}
    bool parity_;

   public:
    arrival_token() = default;
  };

  arrivals() = default;
  __host__ __device__ explicit arrivals(ptrdiff_t expected, Completion completion = Completion())
      : word_(static_cast<word>(expected) * (kOneExpected + kOneArrival)), completion_(completion) {}

  __host__ __device__ arrival_token arrive(ptrdiff_t count = 1) { return come(count, count * kOneArrival); }
  __host__ __device__ void arrive_and_drop() { come(1, kOneExpected + kOneArrival); }
  __host__ __device__ bool try_wait_parity(bool parity) const {
    return ((word_.load(memory_order_acquire) & kPhase) != 0) != parity;
  }
  __host__ __device__ bool try_wait(const arrival_token& token) const { return try_wait_parity(token.parity_); }

 private:
  /* The last one begins the next phase: nobody else comes before that. */
  __host__ __device__ arrival_token come(ptrdiff_t count, word less) {
    const word before = word_.fetch_sub(less, memory_order_acq_rel);
    if ((before & (kPhase - 1)) == static_cast<word>(count)) {
      completion_();
      const word expected = (before - less) >> 32;
      word_.store(expected * kOneExpected | (~before & kPhase) | expected, memory_order_release);
    }
    return arrival_token((before & kPhase) != 0);
  }

  atomic<word, Scope> word_;
  Completion completion_;
};

}  // namespace detail
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
