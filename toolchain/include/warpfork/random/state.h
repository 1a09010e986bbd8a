/* The states of generators. Normally distributed numbers come in pairs, whose second is kept. */
#pragma once

#include <cuda_runtime.h>

enum warpfork_kept_number { warpfork_none_kept, warpfork_normal_kept, warpfork_log_normal_kept };

#define WARPFORK_RANDOM_KEPT                                                    \
  int boxmuller_flag, boxmuller_flag_double; /* of type warpfork_kept_number */ \
  float boxmuller_extra;                                                        \
  double boxmuller_extra_double;

struct curandStateXORWOW {
  unsigned d, v[5];
  WARPFORK_RANDOM_KEPT
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output; /* the output is that of the counter */
  uint2 key;
  unsigned STATE; /* how many numbers of the output are used, 0 to 3 */
  WARPFORK_RANDOM_KEPT
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  WARPFORK_RANDOM_KEPT
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

#undef WARPFORK_RANDOM_KEPT

#define WARPFORK_RANDOM static __device__ inline

template <class State>
WARPFORK_RANDOM void warpfork_keep_none(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = warpfork_none_kept;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
