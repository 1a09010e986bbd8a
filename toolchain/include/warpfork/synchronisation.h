/* Barriers, fences, shuffles and votes as the compiler must see them: no access to memory moves over one of them. clang
   takes its builtins for functions that touch no variable of this file, and would keep a __shared__ variable in a
   register over __syncthreads(). */
#pragma once

#define WARPFORK_DEVICE __device__ inline __attribute__((always_inline, nodebug)) /* its line is the caller's */

/* Nothing moves into or out of its lifetime. */
struct warpfork_memory_order {
  WARPFORK_DEVICE warpfork_memory_order() { asm volatile("" ::: "memory"); }
  WARPFORK_DEVICE ~warpfork_memory_order() { asm volatile("" ::: "memory"); }
};

static WARPFORK_DEVICE void warpfork_syncthreads() {
  const warpfork_memory_order order;
  __syncthreads();
}
#define __syncthreads warpfork_syncthreads

/* The names in clang's headers; within its own macro a name is the builtin. */
#define WARPFORK_ORDERED(call)         \
  __extension__({                      \
    const warpfork_memory_order order; \
    call;                              \
  })
#define __nvvm_bar0_and(...) WARPFORK_ORDERED(__nvvm_bar0_and(__VA_ARGS__))
#define __nvvm_bar0_or(...) WARPFORK_ORDERED(__nvvm_bar0_or(__VA_ARGS__))
#define __nvvm_bar0_popc(...) WARPFORK_ORDERED(__nvvm_bar0_popc(__VA_ARGS__))
#define __nvvm_bar_warp_sync(...) WARPFORK_ORDERED(__nvvm_bar_warp_sync(__VA_ARGS__))
#define __nvvm_barrier_sync(...) WARPFORK_ORDERED(__nvvm_barrier_sync(__VA_ARGS__))
#define __nvvm_barrier_sync_cnt(...) WARPFORK_ORDERED(__nvvm_barrier_sync_cnt(__VA_ARGS__))
#define __nvvm_membar_cta(...) WARPFORK_ORDERED(__nvvm_membar_cta(__VA_ARGS__))
#define __nvvm_membar_gl(...) WARPFORK_ORDERED(__nvvm_membar_gl(__VA_ARGS__))
#define __nvvm_membar_sys(...) WARPFORK_ORDERED(__nvvm_membar_sys(__VA_ARGS__))
/* The shuffles without members, __shfl() and its like; from sm_70 on there are no instructions for them. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
static WARPFORK_DEVICE unsigned warpfork_active_lanes() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
#define WARPFORK_SHUFFLE(kind, ...) __nvvm_shfl_sync_##kind(warpfork_active_lanes(), __VA_ARGS__)
#else
#define WARPFORK_SHUFFLE(kind, ...) WARPFORK_ORDERED(__nvvm_shfl_##kind(__VA_ARGS__))
#endif
#define __nvvm_shfl_idx_i32(...) WARPFORK_SHUFFLE(idx_i32, __VA_ARGS__)
#define __nvvm_shfl_idx_f32(...) WARPFORK_SHUFFLE(idx_f32, __VA_ARGS__)
#define __nvvm_shfl_up_i32(...) WARPFORK_SHUFFLE(up_i32, __VA_ARGS__)
#define __nvvm_shfl_up_f32(...) WARPFORK_SHUFFLE(up_f32, __VA_ARGS__)
#define __nvvm_shfl_down_i32(...) WARPFORK_SHUFFLE(down_i32, __VA_ARGS__)
#define __nvvm_shfl_down_f32(...) WARPFORK_SHUFFLE(down_f32, __VA_ARGS__)
#define __nvvm_shfl_bfly_i32(...) WARPFORK_SHUFFLE(bfly_i32, __VA_ARGS__)
#define __nvvm_shfl_bfly_f32(...) WARPFORK_SHUFFLE(bfly_f32, __VA_ARGS__)
#define __nvvm_shfl_sync_idx_i32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_idx_i32(__VA_ARGS__))
#define __nvvm_shfl_sync_idx_f32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_idx_f32(__VA_ARGS__))
#define __nvvm_shfl_sync_up_i32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_up_i32(__VA_ARGS__))
#define __nvvm_shfl_sync_up_f32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_up_f32(__VA_ARGS__))
#define __nvvm_shfl_sync_down_i32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_down_i32(__VA_ARGS__))
#define __nvvm_shfl_sync_down_f32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_down_f32(__VA_ARGS__))
#define __nvvm_shfl_sync_bfly_i32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_bfly_i32(__VA_ARGS__))
#define __nvvm_shfl_sync_bfly_f32(...) WARPFORK_ORDERED(__nvvm_shfl_sync_bfly_f32(__VA_ARGS__))
#define __nvvm_vote_all(...) WARPFORK_ORDERED(__nvvm_vote_all(__VA_ARGS__))
#define __nvvm_vote_any(...) WARPFORK_ORDERED(__nvvm_vote_any(__VA_ARGS__))
#define __nvvm_vote_ballot(...) WARPFORK_ORDERED(__nvvm_vote_ballot(__VA_ARGS__))
#define __nvvm_vote_all_sync(...) WARPFORK_ORDERED(__nvvm_vote_all_sync(__VA_ARGS__))
#define __nvvm_vote_any_sync(...) WARPFORK_ORDERED(__nvvm_vote_any_sync(__VA_ARGS__))
#define __nvvm_vote_uni_sync(...) WARPFORK_ORDERED(__nvvm_vote_uni_sync(__VA_ARGS__))
#define __nvvm_vote_ballot_sync(...) WARPFORK_ORDERED(__nvvm_vote_ballot_sync(__VA_ARGS__))
