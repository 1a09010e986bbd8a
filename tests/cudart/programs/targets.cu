// Code for the host, for devices and for some devices alone: what is for others need not compile. Prints a line for
// each expectation that does not hold, PASS at the end.
#include <nv/target>

#include "expect.h"

#if defined(__CUDA_ARCH__)
constexpr int kArchitecture = __CUDA_ARCH__;
#else
constexpr int kArchitecture = 0;
#endif

template <class, class>
__host__ __device__ int of_two_types() {
  return 1;
}

static __host__ __device__ int side() { NV_IF_ELSE_TARGET(NV_IS_HOST, (return 1;), (return 2;)) }
static __host__ __device__ int side_without_parentheses() {
  NV_IF_TARGET(NV_IS_DEVICE, return 2;)
  NV_IF_TARGET(NV_IS_HOST, return 1;, return 3;)
}

/// As many commas as there may be; variables of one body are its own.
static __host__ __device__ int with_commas() {
  int sum = 0;
  NV_IF_TARGET(NV_ANY_TARGET, (int a = 1, b = 2; sum += a + b; sum += of_two_types<int, long>();))
  NV_IF_TARGET(NV_NO_TARGET, (no such thing, at all;))
  NV_IF_TARGET(NV_NO_TARGET, (nor this;), (int a = 10; sum += a;))
  NV_IF_TARGET(NV_NO_TARGET, (), ())
  NV_IF_TARGET(NV_ANY_TARGET, (NV_IF_TARGET(NV_NO_TARGET, (), (sum += 100;)) sum += 1000;))
  return sum;
}

/// The first case that holds, none, and as many as there may be.
static __host__ __device__ int dispatched() {
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_121, (return 121;), NV_IS_EXACTLY_SM_120, (return 120;), NV_PROVIDES_SM_90,
                     (int a, b; a = b = 45; return a + b;), NV_IS_EXACTLY_SM_86, (return -86;), NV_PROVIDES_SM_70,
                     (return 70;), NV_IS_DEVICE, (return 1;))
  NV_DISPATCH_TARGET(NV_IS_DEVICE, (return side();), NV_NO_TARGET, (none;))
  NV_DISPATCH_TARGET(NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (),
                     NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (),
                     NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_NO_TARGET, (), NV_IS_HOST, (return 0;))
}
static constexpr int dispatched_by_hand(int architecture) {
  return architecture >= 1210   ? 121
         : architecture == 1200 ? 120
         : architecture >= 900  ? 90
         : architecture == 860  ? -86
         : architecture >= 700  ? 70
         : architecture > 0     ? 1
                                : 0;
}

#define EXPECT_SM(name, number)                                                                         \
  static_assert(NV_PROVIDES_SM_##name == (kArchitecture >= number), "the architecture or a later one"); \
  static_assert(NV_IS_EXACTLY_SM_##name == (kArchitecture == number), "the architecture alone");
EXPECT_SM(35, 350)
EXPECT_SM(37, 370)
EXPECT_SM(50, 500)
EXPECT_SM(52, 520)
EXPECT_SM(53, 530)
EXPECT_SM(60, 600)
EXPECT_SM(61, 610)
EXPECT_SM(62, 620)
EXPECT_SM(70, 700)
EXPECT_SM(72, 720)
EXPECT_SM(75, 750)
EXPECT_SM(80, 800)
EXPECT_SM(86, 860)
EXPECT_SM(87, 870)
EXPECT_SM(88, 880)
EXPECT_SM(89, 890)
EXPECT_SM(90, 900)
EXPECT_SM(100, 1000)
EXPECT_SM(101, 1010)
EXPECT_SM(103, 1030)
EXPECT_SM(110, 1100)
EXPECT_SM(120, 1200)
EXPECT_SM(121, 1210)
static_assert(NV_IS_HOST == (kArchitecture == 0) && NV_IS_DEVICE == (kArchitecture > 0), "");
static_assert(NV_HAS_FEATURE_SM_90a + NV_HAS_FEATURE_SM_100a + NV_HAS_FEATURE_SM_120f == 0, "");

__global__ void on_device(int* results) {
  results[0] = side() * 10 + side_without_parentheses();
  results[1] = with_commas();
  results[2] = dispatched();
  results[3] = kArchitecture;
}

int main() {
  int* results = nullptr;
  EXPECT(cudaMallocManaged(&results, 4 * sizeof *results) == cudaSuccess);
  on_device<<<1, 1>>>(results);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(results[0] == 22 && side() == 1 && side_without_parentheses() == 1);
  EXPECT(results[1] == 1114 && with_commas() == 1114);
  EXPECT(results[2] == dispatched_by_hand(results[3]) && dispatched() == 0);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
