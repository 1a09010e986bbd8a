/* Scopes and orders of atomic objects, and their fences. */
#pragma once

WARPFORK_LINES_OF_CALLERS
namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

inline __host__ __device__ void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
#ifdef __CUDA_ARCH__
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  if (scope == thread_scope_block)
    __threadfence_block();
  else if (scope == thread_scope_device)
    __threadfence();
  else
    __threadfence_system();
#else
  __atomic_thread_fence(order);
#endif
}

inline __host__ __device__ void atomic_signal_fence(memory_order) { asm volatile("" ::: "memory"); }

namespace std {

using cuda::atomic_signal_fence;
inline __host__ __device__ void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order); }

}  // namespace std

}  // namespace cuda
WARPFORK_LINES_OF_FUNCTIONS
