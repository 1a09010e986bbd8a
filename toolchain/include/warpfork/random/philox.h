/* Philox4x32-10: a number is ten rounds of multiplication away from its place in the sequence (Salmon, Moraes, Dror and
   Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011). The key is the seed; of the counter the upper 64 bits are
   the sequence, the lower 64 a quarter of the place. */
#pragma once

#include <warpfork/random/state.h>

WARPFORK_RANDOM uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  constexpr unsigned first = 0xD2511F53, third = 0xCD9E8D57;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    counter = make_uint4(__umulhi(third, counter.z) ^ counter.y ^ key.x, third * counter.z,
                         __umulhi(first, counter.x) ^ counter.w ^ key.y, first * counter.x);
    key = make_uint2(key.x + 0x9E3779B9, key.y + 0xBB67AE85);
  }
  return counter;
}

WARPFORK_RANDOM unsigned long long warpfork_philox_sum(unsigned low, unsigned high, unsigned long long n) {
  return (static_cast<unsigned long long>(high) << 32 | low) + n;
}
WARPFORK_RANDOM void warpfork_philox_next_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long sum = warpfork_philox_sum(state->ctr.z, state->ctr.w, n);
  state->ctr.z = static_cast<unsigned>(sum);
  state->ctr.w = static_cast<unsigned>(sum >> 32);
}
WARPFORK_RANDOM void warpfork_philox_next(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long sum = warpfork_philox_sum(state->ctr.x, state->ctr.y, n);
  state->ctr.x = static_cast<unsigned>(sum);
  state->ctr.y = static_cast<unsigned>(sum >> 32);
  if (sum < n) warpfork_philox_next_sequence(1, state);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/* Each of them stays in a register. */
WARPFORK_RANDOM unsigned warpfork_philox_choose(unsigned i, uint4 a) {
  return i < 2 ? (i == 0 ? a.x : a.y) : (i == 2 ? a.z : a.w);
}

WARPFORK_RANDOM unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned result = warpfork_philox_choose(state->STATE, state->output);
  if (++state->STATE == 4) {
    state->STATE = 0;
    warpfork_philox_next(1, state);
  }
  return result;
}

WARPFORK_RANDOM uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 now = state->output;
  warpfork_philox_next(1, state);
  const uint4 next = state->output;
  switch (state->STATE) {
    case 0:
      return now;
    case 1:
      return make_uint4(now.y, now.z, now.w, next.x);
    case 2:
      return make_uint4(now.z, now.w, next.x, next.y);
    default:
      return make_uint4(now.w, next.x, next.y, next.z);
  }
}

WARPFORK_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned used = state->STATE + static_cast<unsigned>(n & 3);
  state->STATE = used & 3;
  warpfork_philox_next(n / 4 + used / 4, state);
}
WARPFORK_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  warpfork_philox_next_sequence(n, state);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

WARPFORK_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                 curandStatePhilox4_32_10* state) {
  state->ctr = make_uint4(0, 0, static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32));
  state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  state->STATE = 0;
  skipahead(offset, state);
  warpfork_keep_none(state);
}
