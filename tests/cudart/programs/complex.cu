// Complex numbers as pairs, on host and device, and headers that programs name though they need no more than what is
// there anyway. Prints a line for each expectation that does not hold, PASS at the end.
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <device_types.h>
#include <library_types.h>
#include <nvtx3/nvToolsExt.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>

#include <cmath>
#include <vector_functions.hpp>

#include "expect.h"

constexpr int kResults = 9;

/// (3 + 4i) and (1 - 2i); with powers of two, which are exact, no square of the last two is a float.
__host__ __device__ inline void compute(cuComplex* results, cuDoubleComplex* exact) {
  const cuComplex a = make_cuComplex(3, 4), b = make_cuFloatComplex(1, -2);
  results[0] = cuCaddf(a, b);
  results[1] = cuCsubf(a, b);
  results[2] = cuCmulf(a, b);
  results[3] = cuCdivf(a, b);
  results[4] = cuConjf(a);
  results[5] = cuCfmaf(a, b, make_cuComplex(100, 200));
  results[6] = make_cuComplex(cuCabsf(a), cuCabsf(make_cuComplex(0x1.8p100f, 0x1p101f)));
  results[7] = cuCdivf(make_cuComplex(0x1p100f, 0), make_cuComplex(0, 0x1p101f));
  const cuDoubleComplex wide = cuComplexFloatToDouble(a), other = make_cuDoubleComplex(1, -2);
  exact[0] = cuCadd(wide, other);
  exact[1] = cuCsub(wide, other);
  exact[2] = cuCmul(wide, other);
  exact[3] = cuCdiv(wide, other);
  exact[4] = cuConj(wide);
  exact[5] = cuCfma(wide, other, make_cuDoubleComplex(100, 200));
  exact[6] = make_cuDoubleComplex(cuCabs(wide), cuCreal(wide) + cuCimag(wide));
  exact[7] = cuComplexFloatToDouble(cuComplexDoubleToFloat(make_cuDoubleComplex(0.1, 0.5)));
  results[8] = make_cuComplex(cuCabsf(make_cuComplex(-INFINITY, 2)), cuCabsf(make_cuComplex(0, -0.0f)));
  exact[8] = make_cuDoubleComplex(cuCabs(make_cuDoubleComplex(2, -3)), cuCabs(make_cuDoubleComplex(1e-310, 0)));
}

__global__ void on_device(cuComplex* results, cuDoubleComplex* exact) { compute(results, exact); }

static void check(const cuComplex* results, const cuDoubleComplex* exact) {
  const double expected[8][2] = {{4, 2}, {2, 6}, {11, -2}, {-1, 2}, {3, -4}, {111, 198}, {5, 0x1.4p101}, {0, -0.5}};
  for (int i = 0; i < 8; ++i) {
    EXPECT(std::fabs(results[i].x - expected[i][0]) <= 1e-6 * std::fabs(expected[i][0]));
    EXPECT(std::fabs(results[i].y - expected[i][1]) <= 1e-6 * std::fabs(expected[i][1]));
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT(std::fabs(exact[i].x - expected[i][0]) <= 1e-15 * std::fabs(expected[i][0]));
    EXPECT(std::fabs(exact[i].y - expected[i][1]) <= 1e-15 * std::fabs(expected[i][1]));
  }
  EXPECT(results[8].x == INFINITY && results[8].y == 0);
  EXPECT(exact[8].x == 0x1.cd82b446159f4p+1 && exact[8].y == 1e-310);  // 3 sqrt(1 + (2 / 3)^2), rounded at each step
  EXPECT(exact[6].x == 5 && exact[6].y == 7 && exact[7].x == 0.1f && exact[7].y == 0.5);
}

static void ranges_do_nothing() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "range";
  EXPECT(nvtxRangePushEx(&event) == NVTX_NO_PUSH_POP_TRACKING);
  EXPECT(nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING);
  nvtxRangePushA("named");
  nvtxRangePop();
  nvtxRangeEnd(nvtxRangeStartA("from here"));
  nvtxMark("here");
}

int main() {
  cuComplex *results = nullptr, of_host[kResults];
  cuDoubleComplex *exact = nullptr, exact_of_host[kResults];
  EXPECT(cudaMallocManaged(&results, sizeof of_host) == cudaSuccess);
  EXPECT(cudaMallocManaged(&exact, sizeof exact_of_host) == cudaSuccess);
  EXPECT(cudaProfilerStart() == cudaSuccess);
  on_device<<<1, 1>>>(results, exact);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaProfilerStop() == cudaSuccess);
  check(results, exact);
  compute(of_host, exact_of_host);
  check(of_host, exact_of_host);
  ranges_do_nothing();
  EXPECT(CUDA_R_32F == 0 && CUDA_R_16BF == 14 && CUDA_C_64F == 5);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
