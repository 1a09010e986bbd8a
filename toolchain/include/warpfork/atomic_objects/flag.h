/* A flag that one thread finds clear: cuda::std::atomic_flag. */
#pragma once

#include <warpfork/atomic_objects/atomic.h>

WARPFORK_LINES_OF_CALLERS
namespace cuda {
namespace std {

class atomic_flag {
 public:
  constexpr __host__ __device__ atomic_flag() noexcept : is_set_(0) {}
  constexpr __host__ __device__ atomic_flag(bool is_set) noexcept : is_set_(is_set) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;

  /* Whether it was set. */
  __host__ __device__ bool test_and_set(memory_order order = memory_order_seq_cst) {
    return is_set_.exchange(1, order) != 0;
  }
  __host__ __device__ bool test(memory_order order = memory_order_seq_cst) const { return is_set_.load(order) != 0; }
  __host__ __device__ void clear(memory_order order = memory_order_seq_cst) { is_set_.store(0, order); }
  __host__ __device__ void wait(bool old, memory_order order = memory_order_seq_cst) const { is_set_.wait(old, order); }
  __host__ __device__ void notify_one() {}
  __host__ __device__ void notify_all() {}

 private:
  cuda::atomic<int, thread_scope_system> is_set_; /* of a size that one instruction changes */
};

}  // namespace std
}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
