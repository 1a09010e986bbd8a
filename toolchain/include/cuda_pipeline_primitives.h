/* Copies that a thread does not wait for (CUDA C++ Programming Guide, "Pipeline Primitives Interface"). */
#pragma once

#include <warpfork/hide_macros.h>

#include <cuda_awbarrier_primitives.h>

#if defined(__CUDA__) && defined(__clang__)
WARPFORK_LINES_OF_CALLERS
#include <warpfork/asynchronous_copies.h>

WARPFORK_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0) {
  if (zeros > bytes) __trap();
  switch (bytes) {
    case 4:
      return warpfork_copy_async<4>(shared, global, static_cast<unsigned>(zeros));
    case 8:
      return warpfork_copy_async<8>(shared, global, static_cast<unsigned>(zeros));
    case 16:
      return warpfork_copy_async<16>(shared, global, static_cast<unsigned>(zeros));
    default:
      __trap();
  }
}

WARPFORK_DEVICE void __pipeline_commit() { warpfork_commit_copies(); }

/* Of more than four groups, the instruction's number being a constant, no more than four stay on their way. */
WARPFORK_DEVICE void __pipeline_wait_prior(size_t groups) {
  switch (groups) {
    case 0:
      return warpfork_wait_for_copies<0>();
    case 1:
      return warpfork_wait_for_copies<1>();
    case 2:
      return warpfork_wait_for_copies<2>();
    case 3:
      return warpfork_wait_for_copies<3>();
    default:
      return warpfork_wait_for_copies<4>();
  }
}

/* Arrives at the barrier, where it is missing besides, when the thread's copies are there. */
WARPFORK_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) { warpfork_arrive_with_copies(barrier); }
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
