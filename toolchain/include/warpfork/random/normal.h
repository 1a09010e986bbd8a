/* Normally distributed numbers, in pairs from two uniform ones (Box and Muller, "A Note on the Generation of Random
   Normal Deviates", 1958), and numbers whose logarithm is. What draws one of them keeps the pair's second for the next
   call. The last bits are those of our logarithm, sine and cosine, not of NVIDIA's. */
#pragma once

#include <warpfork/random/uniform.h>

WARPFORK_RANDOM float2 warpfork_box_muller(float uniform, float angle) {
  const float radius = sqrtf(-2 * logf(uniform));
  float2 pair;
  __sincosf(angle, &pair.x, &pair.y);
  return make_float2(radius * pair.x, radius * pair.y);
}
/* The angle's unit is half a turn. */
WARPFORK_RANDOM double2 warpfork_box_muller(double uniform, double angle) {
  const double radius = sqrt(-2 * log(uniform));
  return make_double2(radius * sinpi(angle), radius * cospi(angle));
}

WARPFORK_RANDOM float2 warpfork_box_muller(unsigned first, unsigned second) {
  constexpr float unit = 2.3283064e-10f * 6.2831855f; /* 2 pi / 2^32 */
  return warpfork_box_muller(warpfork_uniform(first), fmaf(static_cast<float>(second), unit, unit / 2));
}
template <class State>
WARPFORK_RANDOM float2 curand_normal2(State* state) {
  const unsigned first = curand(state);
  return warpfork_box_muller(first, curand(state));
}
WARPFORK_RANDOM float2 curand_normal2(curandStateMRG32k3a* state) {
  const float first = curand_uniform(state);
  return warpfork_box_muller(first, curand_uniform(state) * 6.2831855f);
}
WARPFORK_RANDOM float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 drawn = curand4(state);
  const float2 first = warpfork_box_muller(drawn.x, drawn.y), second = warpfork_box_muller(drawn.z, drawn.w);
  return make_float4(first.x, first.y, second.x, second.y);
}

WARPFORK_RANDOM double2 curand_normal2_double(curandStateXORWOW* state) {
  const double first = curand_uniform_double(state);
  return warpfork_box_muller(first, 2 * curand_uniform_double(state));
}
WARPFORK_RANDOM double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double first = curand_uniform_double(state);
  return warpfork_box_muller(first, 2 * curand_uniform_double(state));
}
WARPFORK_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10* state) {
  const double2 both = curand_uniform2_double(state);
  return warpfork_box_muller(both.x, 2 * both.y);
}
WARPFORK_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

/* The first of a pair, whose second is kept as one of `kind`, or that one. */
template <class Number, class Draw>
WARPFORK_RANDOM Number warpfork_one_of_two(int* flag, Number* extra, warpfork_kept_number kind, Draw draw) {
  if (*flag == kind) {
    *flag = warpfork_none_kept;
    return *extra;
  }
  const auto pair = draw();
  *flag = kind;
  *extra = pair.y;
  return pair.x;
}
template <class State>
WARPFORK_RANDOM float curand_normal(State* state) {
  return warpfork_one_of_two(&state->boxmuller_flag, &state->boxmuller_extra, warpfork_normal_kept,
                             [=] { return curand_normal2(state); });
}
template <class State>
WARPFORK_RANDOM double curand_normal_double(State* state) {
  return warpfork_one_of_two(&state->boxmuller_flag_double, &state->boxmuller_extra_double, warpfork_normal_kept,
                             [=] { return curand_normal2_double(state); });
}

template <class State>
WARPFORK_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(fmaf(deviation, pair.x, mean)), expf(fmaf(deviation, pair.y, mean)));
}
template <class State>
WARPFORK_RANDOM double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(exp(fma(deviation, pair.x, mean)), exp(fma(deviation, pair.y, mean)));
}
template <class State>
WARPFORK_RANDOM float curand_log_normal(State* state, float mean, float deviation) {
  return warpfork_one_of_two(&state->boxmuller_flag, &state->boxmuller_extra, warpfork_log_normal_kept,
                             [=] { return curand_log_normal2(state, mean, deviation); });
}
template <class State>
WARPFORK_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {
  return warpfork_one_of_two(&state->boxmuller_flag_double, &state->boxmuller_extra_double, warpfork_log_normal_kept,
                             [=] { return curand_log_normal2_double(state, mean, deviation); });
}
WARPFORK_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 four = curand_normal4(state);
  return make_float4(expf(fmaf(deviation, four.x, mean)), expf(fmaf(deviation, four.y, mean)),
                     expf(fmaf(deviation, four.z, mean)), expf(fmaf(deviation, four.w, mean)));
}
WARPFORK_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean, double deviation) {
  const double4 four = curand_normal4_double(state);
  return make_double4(exp(fma(deviation, four.x, mean)), exp(fma(deviation, four.y, mean)),
                      exp(fma(deviation, four.z, mean)), exp(fma(deviation, four.w, mean)));
}
