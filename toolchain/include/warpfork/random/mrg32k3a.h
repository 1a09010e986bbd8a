/* MRG32k3a: two recursions of order three modulo primes next to 2^32, their difference is the number (L'Ecuyer, "Good
   Parameters and Implementations for Combined Multiple Recursive Random Number Generators", 1999). Sequences of
   curand_init start 2^76 steps apart, those of skipahead_sequence 2^127 (L'Ecuyer, Simard, Chen and Kelton, "An
   Object-Oriented Random-Number Package with Many Long Streams and Substreams", 2002). */
#pragma once

#include <warpfork/random/state.h>

/* The primes are 2^32 less these. */
constexpr unsigned warpfork_mrg_below1 = 209, warpfork_mrg_below2 = 22853;

/* a * b + c modulo 2^32 - below. */
template <unsigned below>
WARPFORK_RANDOM unsigned warpfork_mrg_sum(unsigned a, unsigned b, unsigned c) {
  constexpr unsigned prime = 0 - below;
  unsigned long long sum = static_cast<unsigned long long>(a) * b + c;
  sum = (sum >> 32) * below + static_cast<unsigned>(sum);
  sum = (sum >> 32) * below + static_cast<unsigned>(sum);
  return static_cast<unsigned>(sum >= prime ? sum - prime : sum);
}

struct warpfork_mrg_matrix {
  unsigned rows[3][3];
};

/* The matrix to the power n, times the state: by squaring for each bit of n. */
template <unsigned below>
WARPFORK_RANDOM void warpfork_mrg_jump(unsigned long long n, warpfork_mrg_matrix matrix, unsigned* state) {
  for (;; n >>= 1) {
    if ((n & 1) != 0) {
      const unsigned x = state[0], y = state[1], z = state[2];
      for (int i = 0; i < 3; ++i) {
        const unsigned* const row = matrix.rows[i];
        state[i] = warpfork_mrg_sum<below>(row[0], x,
                                           warpfork_mrg_sum<below>(row[1], y, warpfork_mrg_sum<below>(row[2], z, 0)));
      }
    }
    if (n <= 1) return;
    const warpfork_mrg_matrix factor = matrix;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        unsigned sum = 0;
        for (int k = 0; k < 3; ++k) sum = warpfork_mrg_sum<below>(factor.rows[i][k], factor.rows[k][j], sum);
        matrix.rows[i][j] = sum;
      }
  }
}

WARPFORK_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  warpfork_mrg_jump<warpfork_mrg_below1>(n, {{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728, 1403580, 0}}}, state->s1);
  warpfork_mrg_jump<warpfork_mrg_below2>(n, {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589, 0, 527612}}}, state->s2);
}
/* The matrices to the power 2^76. */
WARPFORK_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  warpfork_mrg_jump<warpfork_mrg_below1>(n,
                                         {{{82758667, 1871391091u, 4127413238u},
                                           {3672831523u, 69195019, 1871391091u},
                                           {3672091415u, 3528743235u, 69195019}}},
                                         state->s1);
  warpfork_mrg_jump<warpfork_mrg_below2>(n,
                                         {{{1511326704u, 3759209742u, 1610795712u},
                                           {4292754251u, 1511326704u, 3889917532u},
                                           {3859662829u, 4292754251u, 3708466080u}}},
                                         state->s2);
}
/* The matrices to the power 2^127. */
WARPFORK_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  warpfork_mrg_jump<warpfork_mrg_below1>(n,
                                         {{{2427906178u, 3580155704u, 949770784},
                                           {226153695, 1230515664u, 3580155704u},
                                           {1988835001u, 986791581, 1230515664u}}},
                                         state->s1);
  warpfork_mrg_jump<warpfork_mrg_below2>(n,
                                         {{{1464411153u, 277697599, 1610723613u},
                                           {32183930, 1464411153u, 1022607788u},
                                           {2824425944u, 32183930, 2093834863u}}},
                                         state->s2);
}

/* From 1 to the first prime. */
WARPFORK_RANDOM double curand_MRG32k3a(curandStateMRG32k3a* state) {
  unsigned *const a = state->s1, *const b = state->s2;
  const unsigned first = warpfork_mrg_sum<warpfork_mrg_below1>(4294967087u - 810728, a[0],
                                                               warpfork_mrg_sum<warpfork_mrg_below1>(1403580, a[1], 0));
  const unsigned second = warpfork_mrg_sum<warpfork_mrg_below2>(4294944443u - 1370589, b[0],
                                                                warpfork_mrg_sum<warpfork_mrg_below2>(527612, b[2], 0));
  a[0] = a[1];
  a[1] = a[2];
  a[2] = first;
  b[0] = b[1];
  b[1] = b[2];
  b[2] = second;
  return first - second + (first <= second ? 4294967087u : 0);
}

/* Spread over all numbers of 32 bits. */
WARPFORK_RANDOM unsigned curand(curandStateMRG32k3a* state) {
  return static_cast<unsigned>(curand_MRG32k3a(state) * 1.000000048662);
}

/* The seed's two halves are factors of the states that the paper starts with. */
WARPFORK_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                 curandStateMRG32k3a* state) {
  const unsigned low = static_cast<unsigned>(seed) ^ 0x55555555, high = static_cast<unsigned>(seed >> 32) ^ 0xAAAAAAAA;
  curandStateMRG32k3a made;
  for (int i = 0; i < 3; ++i) {
    made.s1[i] = seed == 0 ? 12345 : warpfork_mrg_sum<warpfork_mrg_below1>(i == 1 ? high : low, 12345, 0);
    made.s2[i] = seed == 0 ? 12345 : warpfork_mrg_sum<warpfork_mrg_below2>(i == 1 ? low : high, 12345, 0);
  }
  skipahead_subsequence(sequence, &made);
  skipahead(offset, &made);
  warpfork_keep_none(&made);
  *state = made;
}
