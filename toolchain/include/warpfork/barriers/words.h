/* Barriers as words, for devices without barriers in memory: how many arrive in each phase, above 32 bits of which the
   top one is the phase's parity, the others how many are missing. A token is the word that the thread has seen. */
#pragma once

#include <warpfork/barriers/types.h>

WARPFORK_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t count) {
  *barrier = static_cast<__mbarrier_t>(count) << 32 | count;
}
WARPFORK_DEVICE void __mbarrier_inval(__mbarrier_t*) {}

/* The last one begins the next phase. */
WARPFORK_DEVICE __mbarrier_token_t warpfork_arrive(__mbarrier_t* barrier, unsigned drops) {
  unsigned long long* const word = reinterpret_cast<unsigned long long*>(barrier);
  __threadfence_block();
  unsigned long long seen = *static_cast<volatile __mbarrier_t*>(barrier), expected;
  do {
    expected = seen;
    const unsigned all = static_cast<unsigned>(expected >> 32) - drops, state = static_cast<unsigned>(expected);
    const bool is_last = (state & 0x7FFFFFFF) == 1;
    const unsigned next = is_last ? (~state & 0x80000000) | all : state - 1;
    seen = atomicCAS(word, expected, static_cast<unsigned long long>(all) << 32 | next);
  } while (seen != expected);
  return seen;
}
WARPFORK_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return warpfork_arrive(barrier, 0); }
WARPFORK_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return warpfork_arrive(barrier, 1);
}
WARPFORK_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return token & 0x7FFFFFFF; }

WARPFORK_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  const bool is_over = (*static_cast<volatile __mbarrier_t*>(barrier) >> 31 & 1) != parity;
  __threadfence_block();
  return is_over;
}
WARPFORK_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return __mbarrier_test_wait_parity(barrier, (token >> 31 & 1) != 0);
}
