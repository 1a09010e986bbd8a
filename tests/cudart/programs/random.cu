// Random numbers in kernels: those that cuRAND's own header gives (CUDA 13.0), that jumps lead where steps do, and
// moments of the distributions. Prints a line for each expectation that does not hold, PASS at the end.
#include <curand_kernel.h>

#include <cmath>
#include <cstring>

#include "expect.h"

/// Of each of them curand_init makes a state.
struct Start {
  unsigned long long seed, sequence, offset;
};
constexpr int kStarts = 6, kExact = 8;
__constant__ Start starts[kStarts] = {{0, 0, 0},
                                      {1234, 0, 0},
                                      {42, 1, 0},
                                      {42, 0x123456789ABC, 5},
                                      {0xFEDCBA9876543210, 7, 1ull << 40},
                                      {~0ull, 0x5DCBA98765432, ~0ull}};

struct Numbers {
  unsigned exact[kExact]; /* four of curand, the bits of a uniform float and double, a Poisson number of mean 3.5 */
  int normal[2];          /* in units of 1/10000 */
};

static const Numbers kXorwow[kStarts] = {
    {{0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd, 0x3d922921, 0xf01bccfe, 0x3fcd236b, 0x00000002}, {-1048, -4072}},
    {{0x253d5e15, 0x6f558604, 0xdee6daf2, 0x7485b394, 0x3f5b6a6b, 0x4be571ae, 0x3fc9c798, 0x00000005}, {-7796, 1913}},
    {{0x28ff4cc2, 0x9a883f28, 0xb15b4dd0, 0x9f43efdc, 0x3e8bd3f3, 0xc040af20, 0x3f8005b4, 0x00000003},
     {-11063, -10702}},
    {{0x8242d4bd, 0x5b8aeda5, 0x1dc9d1bd, 0x8b55c78e, 0x3f2edc30, 0x0d782b42, 0x3fcc291d, 0x00000007}, {221, 15742}},
    {{0xc660878b, 0x9e0a4c53, 0xc4571e0a, 0x3464c68a, 0x3d26c817, 0x49ee23f4, 0x3fe41ddd, 0x00000003}, {-937, 6707}},
    {{0x51a27865, 0x9042ff7f, 0x0de02295, 0x5c545ac7, 0x3f1e393e, 0xf4321270, 0x3fe8ba2a, 0x00000002}, {1419, -12024}}};
static const Numbers kPhilox[kStarts] = {
    {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0x3f78e4cd, 0x37000000, 0x3fd72c80, 0x00000001}, {25440, -11863}},
    {{0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x3f1eeede, 0x7d000000, 0x3fbcbe13, 0x00000002}, {-1691, 517}},
    {{0x02933769, 0x2051e913, 0x3b68b038, 0xb62c409c, 0x3e03fe45, 0xb2a00000, 0x3fefba43, 0x00000001}, {12267, 12609}},
    {{0xd30c4e20, 0x22d28b62, 0x21816306, 0x06fe20f5, 0x3ea849c9, 0xa3c00000, 0x3feba533, 0x00000003}, {-13699, -9394}},
    {{0xa9b7aae7, 0x4873b26e, 0xaa671ea0, 0x2cdc1f56, 0x3eb1e413, 0x84800000, 0x3fe1e57d, 0x00000002}, {11369, -7221}},
    {{0x0c2ad95c, 0xd191a90b, 0xb647443d, 0x4a43f3d0, 0x3e90ad89, 0xafc00000, 0x3fd2c2cd, 0x00000006},
     {-12388, -1662}}};
static const Numbers kMrg32k3a[kStarts] = {
    {{0x2083cd07, 0x518b05c4, 0x4f26d091, 0xd36ab334, 0x3e62f2f4, 0x346f592e, 0x3fe11193, 0x00000002}, {-3420, -6654}},
    {{0xc96891f0, 0x9650c684, 0x0cbc7881, 0x5fa111cd, 0x3f064a39, 0xdf2d3ce2, 0x3fef4c3b, 0x00000004}, {6204, -8654}},
    {{0x1c3bfde7, 0xadc9e07b, 0xe076a07b, 0x37636273, 0x3f5428e8, 0x10c4bb64, 0x3fdd6b76, 0x00000006}, {8156, -7697}},
    {{0x2a94ba20, 0x847a9482, 0xbf1a4fda, 0x758ef9ae, 0x3ba939a2, 0xba194f28, 0x3fe98990, 0x00000002}, {5958, -13909}},
    {{0xa6d0c7be, 0x75d93276, 0xf6f4e733, 0x7baf114f, 0x3e18438a, 0x51a6b831, 0x3fe3048e, 0x00000003}, {762, 13753}},
    {{0xb521e45e, 0x5e5c43d7, 0x9fce2abc, 0x5d71810d, 0x3f44a30a, 0x12ff77c3, 0x3fe37143, 0x00000002}, {18451, 10194}}};

template <class State>
__global__ void draw(Numbers* numbers) {
  const Start start = starts[threadIdx.x];
  Numbers& to = numbers[threadIdx.x];
  State state;
  curand_init(start.seed, start.sequence, start.offset, &state);
  for (int i = 0; i < 4; ++i) to.exact[i] = curand(&state);
  const float uniform = curand_uniform(&state);
  const double uniform_double = curand_uniform_double(&state);
  memcpy(&to.exact[4], &uniform, sizeof uniform);
  memcpy(&to.exact[5], &uniform_double, sizeof uniform_double);
  to.exact[7] = curand_poisson(&state, 3.5);
  for (int i = 0; i < 2; ++i) to.normal[i] = static_cast<int>(curand_normal(&state) * 10000);
}

template <class T>
static T* managed(unsigned count) {
  T* memory = nullptr;
  EXPECT(cudaMallocManaged(&memory, count * sizeof *memory) == cudaSuccess);
  return memory;
}

template <class State>
static void numbers_are_those_of_curand(const Numbers* expected) {
  Numbers* const drawn = managed<Numbers>(kStarts);
  draw<State><<<1, kStarts>>>(drawn);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kStarts; ++i) {
    for (int k = 0; k < kExact; ++k) EXPECT(drawn[i].exact[k] == expected[i].exact[k]);
    for (int k = 0; k < 2; ++k) EXPECT(std::abs(drawn[i].normal[k] - expected[i].normal[k]) <= 1);
  }
}

/// Of each bit of a jump's length: twice so far, and three times, in one jump and in two.
template <class State>
__global__ void jump(int* wrong) {
  const unsigned bit = threadIdx.x;
  const unsigned long long once = 1ull << bit, twice = 2ull << bit;
  State start;
  curand_init(bit, 0, 0, &start);
  const auto differ = [&](State one, State other) {
    if (curand(&one) != curand(&other) || curand(&one) != curand(&other)) atomicAdd(wrong, 1);
  };
  State far = start, near = start;
  if (bit == 0) {
    curand(&far);
    skipahead(1, &near);
    differ(far, near);
  }
  far = near = start;
  skipahead(twice, &far);
  skipahead(once, &near);
  skipahead(once, &near);
  differ(far, near);
  skipahead(once, &far);
  skipahead(once | twice, &start);
  differ(far, start);
  far = near = start;
  skipahead_sequence(twice, &far);
  skipahead_sequence(once, &near);
  skipahead_sequence(once, &near);
  differ(far, near);
  skipahead_sequence(once, &far);
  skipahead_sequence(once | twice, &start);
  differ(far, start);
}

template <class State>
static void jumps_lead_where_steps_do() {
  int* const wrong = managed<int>(1);
  *wrong = 0;
  jump<State><<<1, 63>>>(wrong);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(*wrong == 0);
}

/// One of XORWOW's has 2^67 steps.
__global__ void sequence(unsigned* numbers) {
  curandState state;
  curand_init(1, 0, 0, &state);
  for (int i = 0; i < 16; ++i) skipahead(1ull << 63, &state);
  numbers[0] = curand(&state);
  curand_init(1, 1, 0, &state);
  numbers[1] = curand(&state);
}

/// Four at a time are the next four, wherever a state stands.
__global__ void fours(int* wrong) {
  curandStatePhilox4_32_10_t one, four;
  curand_init(99, 3, threadIdx.x, &one);
  four = one;
  const uint4 drawn = curand4(&four);
  if (drawn.x != curand(&one) || drawn.y != curand(&one) || drawn.z != curand(&one) || drawn.w != curand(&one))
    atomicAdd(wrong, 1);
  const float4 uniform = curand_uniform4(&four);
  if (uniform.x != curand_uniform(&one) || uniform.y != curand_uniform(&one)) atomicAdd(wrong, 1);
}

constexpr int kDistributions = 7, kThreads = 128, kDraws = 32;

__global__ void distributions(double* numbers) {
  curandState xorwow;
  curandStatePhilox4_32_10_t philox;
  curandStateMRG32k3a mrg;
  curand_init(7, threadIdx.x, 0, &xorwow);
  curand_init(7, threadIdx.x, 0, &philox);
  curand_init(7, threadIdx.x, 0, &mrg);
  for (int i = 0; i < kDraws; ++i) {
    double* const to = numbers + (threadIdx.x * kDraws + i) * kDistributions;
    to[0] = curand_normal_double(&xorwow);
    to[1] = curand_normal4(&philox).z;
    to[2] = log(curand_log_normal(&mrg, 0.0f, 1.0f));
    to[3] = (curand_poisson(&xorwow, 50) - 50.0) / sqrt(50.0);
    to[4] = (curand_poisson(&philox, 400) - 400.0) / 20;
    to[5] = (curand_poisson(&mrg, 1e6) - 1e6) / 1000;
    to[6] = log(curand_log_normal4_double(&philox, 0, 1).w);
  }
}

/// Of 4096 numbers the mean lies within 0.08 and the variance within 0.12, five standard deviations each.
static void moments_are_those_of_a_normal_distribution() {
  double* const numbers = managed<double>(kThreads * kDraws * kDistributions);
  distributions<<<1, kThreads>>>(numbers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int which = 0; which < kDistributions; ++which) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kThreads * kDraws; ++i) {
      const double number = numbers[i * kDistributions + which];
      sum += number;
      squares += number * number;
    }
    EXPECT(std::fabs(sum / (kThreads * kDraws)) < 0.08);
    EXPECT(std::fabs(squares / (kThreads * kDraws) - 1) < 0.12);
  }
}

int main() {
  numbers_are_those_of_curand<curandStateXORWOW_t>(kXorwow);
  numbers_are_those_of_curand<curandStatePhilox4_32_10_t>(kPhilox);
  numbers_are_those_of_curand<curandStateMRG32k3a_t>(kMrg32k3a);
  jumps_lead_where_steps_do<curandState>();
  jumps_lead_where_steps_do<curandStatePhilox4_32_10_t>();
  unsigned* const numbers = managed<unsigned>(2);
  sequence<<<1, 1>>>(numbers);
  int* const wrong = managed<int>(1);
  *wrong = 0;
  fours<<<1, 8>>>(wrong);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(numbers[0] == numbers[1] && *wrong == 0);
  moments_are_those_of_a_normal_distribution();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
