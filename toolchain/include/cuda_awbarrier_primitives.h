/* Barriers in shared memory, at which threads arrive and may wait later (CUDA Programming Guide, "Memory Barrier
   Primitives Interface"). From sm_80 on they are PTX's, before that words that atomics change. */
#pragma once

#include <warpfork/hide_macros.h>

#if defined(__CUDA__) && defined(__clang__)
WARPFORK_LINES_OF_CALLERS
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include <warpfork/barriers/instructions.h>
#else
#include <warpfork/barriers/words.h>
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
/* Waiting may end before its time: here at once. */
WARPFORK_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
WARPFORK_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
#endif
WARPFORK_LINES_OF_FUNCTIONS
#endif

#include <warpfork/show_macros.h>
