/* Numbers from 0, without it, to 1. XORWOW's and Philox's are the middles of 2^32 or 2^53 equal parts, but that
   Philox's doubles of one draw are the parts' upper ends; MRG32k3a's are multiples of one over its first prime. */
#pragma once

#include <warpfork/random/mrg32k3a.h>
#include <warpfork/random/philox.h>
#include <warpfork/random/xorwow.h>

WARPFORK_RANDOM float warpfork_uniform(unsigned drawn) { return fmaf(static_cast<float>(drawn), 0x1p-32f, 0x1p-33f); }
/* Of 53 bits, where both draws have one the result has none, as cuRAND has it. */
WARPFORK_RANDOM double warpfork_uniform_double(unsigned first, unsigned second) {
  return fma(static_cast<double>(first ^ static_cast<unsigned long long>(second) << 21), 0x1p-53, 0x1p-54);
}

WARPFORK_RANDOM float curand_uniform(curandStateXORWOW* state) { return warpfork_uniform(curand(state)); }
WARPFORK_RANDOM float curand_uniform(curandStatePhilox4_32_10* state) { return warpfork_uniform(curand(state)); }
WARPFORK_RANDOM float curand_uniform(curandStateMRG32k3a* state) {
  return static_cast<float>(curand_MRG32k3a(state) * 2.3283065498378288e-10);
}
WARPFORK_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 drawn = curand4(state);
  return make_float4(warpfork_uniform(drawn.x), warpfork_uniform(drawn.y), warpfork_uniform(drawn.z),
                     warpfork_uniform(drawn.w));
}

WARPFORK_RANDOM double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned first = curand(state);
  return warpfork_uniform_double(first, curand(state));
}
WARPFORK_RANDOM double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return fma(static_cast<double>(curand(state)), 0x1p-32, 0x1p-32);
}
WARPFORK_RANDOM double curand_uniform_double(curandStateMRG32k3a* state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
WARPFORK_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 drawn = curand4(state);
  return make_double2(warpfork_uniform_double(drawn.x, drawn.y), warpfork_uniform_double(drawn.z, drawn.w));
}
WARPFORK_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}
