/* Barriers as PTX has them (PTX ISA, "mbarrier"). */
#pragma once

#include <warpfork/barriers/types.h>

WARPFORK_DEVICE unsigned warpfork_address_of(__mbarrier_t* barrier) {
  return static_cast<unsigned>(__cvta_generic_to_shared(barrier));
}

WARPFORK_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(warpfork_address_of(barrier)), "r"(count) : "memory");
}
WARPFORK_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(warpfork_address_of(barrier)) : "memory");
}

#define WARPFORK_ARRIVE(name, instruction)                         \
  WARPFORK_DEVICE __mbarrier_token_t name(__mbarrier_t* barrier) { \
    __mbarrier_token_t token;                                      \
    asm volatile("mbarrier." instruction ".shared.b64 %0, [%1];"   \
                 : "=l"(token)                                     \
                 : "r"(warpfork_address_of(barrier))               \
                 : "memory");                                      \
    return token;                                                  \
  }
WARPFORK_ARRIVE(__mbarrier_arrive, "arrive")
WARPFORK_ARRIVE(__mbarrier_arrive_and_drop, "arrive_drop")
#undef WARPFORK_ARRIVE

WARPFORK_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#define WARPFORK_ASKING(instruction, operands) \
  "{ .reg .pred p; mbarrier." instruction ".shared.b64 p, " operands "; selp.u32 %0, 1, 0, p; }"
#define WARPFORK_TEST_WAIT(name, type, parity, letter)              \
  WARPFORK_DEVICE bool name(__mbarrier_t* barrier, type phase) {    \
    unsigned is_over;                                               \
    asm volatile(WARPFORK_ASKING("test_wait" parity, "[%1], %2")    \
                 : "=r"(is_over)                                    \
                 : "r"(warpfork_address_of(barrier)), letter(+phase) \
                 : "memory");                                       \
    return is_over != 0;                                            \
  }
WARPFORK_TEST_WAIT(__mbarrier_test_wait, __mbarrier_token_t, "", "l")
WARPFORK_TEST_WAIT(__mbarrier_test_wait_parity, bool, ".parity", "r")
#undef WARPFORK_TEST_WAIT

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WARPFORK_TRY_WAIT(name, type, parity, letter)                                  \
  WARPFORK_DEVICE bool name(__mbarrier_t* barrier, type phase, uint32_t nanoseconds) { \
    unsigned is_over;                                                                  \
    asm volatile(WARPFORK_ASKING("try_wait" parity, "[%1], %2, %3")                    \
                 : "=r"(is_over)                                                       \
                 : "r"(warpfork_address_of(barrier)), letter(+phase), "r"(nanoseconds) \
                 : "memory");                                                          \
    return is_over != 0;                                                               \
  }
WARPFORK_TRY_WAIT(__mbarrier_try_wait, __mbarrier_token_t, "", "l")
WARPFORK_TRY_WAIT(__mbarrier_try_wait_parity, bool, ".parity", "r")
#undef WARPFORK_TRY_WAIT
#endif
#undef WARPFORK_ASKING
