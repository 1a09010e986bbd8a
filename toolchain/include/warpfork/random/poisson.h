/* Poisson-distributed numbers. Below a mean of 64 as many uniform numbers are multiplied as it takes (Knuth, "The Art
   of Computer Programming", volume 2, 3.4.1), above 4000 a normally distributed one is scaled: cuRAND's numbers, but
   for what the last bits of exp and normal numbers change. Between them the distribution is the same, but not the
   sequence: Hörmann's algorithm PTRS ("The Transformed Rejection Method for Generating Poisson Random Variables",
   1993). */
#pragma once

#include <warpfork/random/normal.h>

template <class State>
WARPFORK_RANDOM unsigned warpfork_poisson_by_product(State* state, float mean) {
  unsigned count = 0;
  for (float product = expf(mean) * curand_uniform(state); product > 1; ++count) product *= curand_uniform(state);
  return count;
}

/* The logarithm of n!, by Stirling's series. */
WARPFORK_RANDOM double warpfork_log_factorial(double n) {
  if (n < 1) return 0;
  return (n + 0.5) * log(n) - n + 0.91893853320467274 + (1 / 12.0 - 1 / 360.0 / (n * n)) / n;
}
template <class State>
WARPFORK_RANDOM unsigned warpfork_poisson_by_rejection(State* state, double mean) {
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform(state) - 0.5, v = curand_uniform(state), edge = 0.5 - fabs(u);
    const double count = floor((2 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= sure) return static_cast<unsigned>(count);
    if (!(count >= 0) || (edge < 0.013 && v > edge)) continue;
    if (log(v * inverse_alpha / (a / (edge * edge) + b)) <= count * log(mean) - mean - warpfork_log_factorial(count))
      return static_cast<unsigned>(count);
  }
}

template <class State>
WARPFORK_RANDOM unsigned curand_poisson(State* state, double mean) {
  if (mean < 64) return warpfork_poisson_by_product(state, static_cast<float>(mean));
  if (mean <= 4000) return warpfork_poisson_by_rejection(state, mean);
  return static_cast<unsigned>(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
}
WARPFORK_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10* state, double mean) {
  if (mean > 4000) {
    const double4 four = curand_normal4_double(state);
    const double deviation = sqrt(mean), middle = mean + 0.5;
    return make_uint4(
        static_cast<unsigned>(deviation * four.x + middle), static_cast<unsigned>(deviation * four.y + middle),
        static_cast<unsigned>(deviation * four.z + middle), static_cast<unsigned>(deviation * four.w + middle));
  }
  uint4 counts;
  counts.x = curand_poisson(state, mean);
  counts.y = curand_poisson(state, mean);
  counts.z = curand_poisson(state, mean);
  counts.w = curand_poisson(state, mean);
  return counts;
}
