/* XORWOW: a linear generator of 160 bits and a counter (Marsaglia, "Xorshift RNGs", 2003). Its sequences start 2^67
   steps apart. Seeds are spread as cuRAND does it. */
#pragma once

#include <warpfork/random/state.h>

WARPFORK_RANDOM void warpfork_xorwow_step(unsigned* v) {
  const unsigned mixed = v[0] ^ v[0] >> 2, last = v[4];
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = last;
  v[4] = last ^ last << 4 ^ mixed ^ mixed << 1;
}

WARPFORK_RANDOM unsigned curand(curandStateXORWOW* state) {
  warpfork_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

/* Of row i the polynomials of the step that are 2^i and 3 * 2^i steps. */
#if defined(__CUDA_ARCH__)
static __device__ const unsigned warpfork_xorwow_jumps[67 + 64][2][5] = {
#include <warpfork/random/xorwow_jumps.def>
};
#endif

/* n * 2^row steps: by each two bits of n as many states added up as the polynomial has coefficients. */
WARPFORK_RANDOM void warpfork_xorwow_jump(unsigned long long n, unsigned row, unsigned* v) {
#if defined(__CUDA_ARCH__)
  for (; n != 0; n >>= 2, row += 2) {
    const unsigned digit = n & 3;
    if (digit == 0) continue;
    const unsigned* const polynomial = warpfork_xorwow_jumps[row + (digit == 2)][digit == 3];
    unsigned sum[5] = {};
#pragma unroll 1
    for (int word = 0; word < 5; ++word) {
      unsigned coefficients = polynomial[word];
#pragma unroll 8
      for (int i = 0; i < 32; ++i, coefficients >>= 1) {
        const unsigned all_or_none = 0 - (coefficients & 1);
        for (int k = 0; k < 5; ++k) sum[k] ^= v[k] & all_or_none;
        warpfork_xorwow_step(v);
      }
    }
    for (int k = 0; k < 5; ++k) v[k] = sum[k];
  }
#endif
}

WARPFORK_RANDOM void skipahead(unsigned long long n, curandStateXORWOW* state) {
  warpfork_xorwow_jump(n, 0, state->v);
  state->d += 362437 * static_cast<unsigned>(n);
}
/* The counter is there again after 2^32 steps. */
WARPFORK_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  warpfork_xorwow_jump(n, 67, state->v);
}

WARPFORK_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                 curandStateXORWOW* state) {
  const unsigned low = (static_cast<unsigned>(seed) ^ 0xAAD26B49) * 1099087573u;
  const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xF7DCEFDD) * 2591861531u;
  curandStateXORWOW made;
  made.d = 6615241 + low + high;
  made.v[0] = 123456789 + low;
  made.v[1] = 362436069 ^ low;
  made.v[2] = 521288629 + high;
  made.v[3] = 88675123 ^ high;
  made.v[4] = 5783321 + low;
  skipahead_sequence(sequence, &made);
  skipahead(offset, &made);
  warpfork_keep_none(&made);
  *state = made;
}
