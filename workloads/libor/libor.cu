// Swaptions priced in the LIBOR market model by Monte Carlo: LIB of the spatio-temporal SIMT paper's Table II, Giles's
// program among those of Bakhoda et al. 2009. A thread follows a path of 80 forward rates, which it keeps in local
// memory; the second kernel also keeps their past and goes all the way back, for the sensitivity to a rate of today
// (adjoints).
//
// As in the original, how many rates, steps and options there are and how long a period is stand in constant memory;
// literals are doubles, which makes much of the arithmetic double; a quotient is __fdividef or `/` as it is there; all
// steps of a path have one random number, which a thread copies into an array of its own. Does not diverge: all paths
// are as long, and none of them has an option that is worth nothing.
#include <algorithm>

#include "model.h"

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ libor::Model model;

// Clang 14 makes calls of loops that copy or clear an array, and loops over single bytes of those.
#define KEEP_LOOPS __attribute__((no_builtin("memcpy", "memset")))

namespace {

using libor::kOptions;
using libor::kRates;
using libor::kSteps;

constexpr int kThreads = 64, kMostBlocks = 64;
constexpr int kSwapPeriods = kRates - kSteps;

// 40 steps, each an exponential within 2^-22 and a product's rounding, leave a rate within 1.2e-5 of what it should be,
// relative, and 40 quotients, each within 2^-22, a bond within 1e-5. If all of them were wrong by that much, a path's
// value would be by 3.5e-5 and its slope, which 40 more quotients go into, by 2.1e-5.
constexpr double kTolerance = 5e-5;

// What 1 grows to in a period.
__device__ inline double accrue(float rate) { return 1.0 + model.period * rate; }

// A plain conversion would have clang see that the sum may as well be single.
__device__ inline float divide_fast(float dividend, double divisor) {
  return __fdividef(dividend, __double2float_rn(divisor));
}

// One step in time of one rate; `drift` is summed over the rates up to this one.
__device__ inline float evolve(float rate, float volatility, float noise, float* drift) {
  const float scaled = model.period * volatility;
  *drift += divide_fast(scaled * rate, accrue(rate));
  return rate * __expf(scaled * *drift + volatility * (noise - 0.5 * scaled));
}

// All steps have the same random number.
__device__ inline void begin_path(float normal, float* normals, float* rates) {
#pragma unroll 1
  for (int i = 0; i < model.rates; ++i) {
    normals[i] = normal;
    rates[i] = libor::kFirstRate;
  }
}

__device__ inline void follow_path(const float* normals, float* rates) {
#pragma unroll 1
  for (int step = 0; step < model.steps; ++step) {
    const float noise = sqrtf(model.period) * normals[step];
    float drift = 0.0f;
#pragma unroll 1
    for (int i = step + 1; i < model.rates; ++i)
      rates[i] = evolve(rates[i], model.volatility[i - step - 1], noise, &drift);
  }
}

// `history` gets the rates of all steps, those that are not yet fixed then.
KEEP_LOOPS __device__ inline void record_path(const float* normals, float* rates, float* history) {
#pragma unroll 1
  for (int i = 0; i < model.rates; ++i) history[i] = rates[i];
#pragma unroll 1
  for (int step = 0; step < model.steps; ++step) {
    const float noise = sqrtf(model.period) * normals[step];
    float drift = 0.0f;
#pragma unroll 1
    for (int i = step + 1; i < model.rates; ++i) {
      rates[i] = evolve(rates[i], model.volatility[i - step - 1], noise, &drift);
      history[(step + 1) * model.rates + i] = rates[i];
    }
  }
}

// What 1 is worth today that is paid when the options are due.
__device__ inline float discount_to_today(const float* rates) {
  float discount = 1.0f;
#pragma unroll 1
  for (int i = 0; i < model.steps; ++i) discount = discount / accrue(rates[i]);
  return discount;
}

// What the option's swap is worth to who pays the floating rate; the option is used if it is negative. `bonds` and
// `annuities` are what 1 at the end of each period, and 1 a year until then, are worth when the options are due.
__device__ inline float swap_value(int option, const float* bonds, const float* annuities) {
  const int last = model.length[option] - 1;
  return __double2float_rn(bonds[last] + model.strike[option] * annuities[last] - 1.0);
}

__device__ inline float portfolio_value(const float* rates) {
  float bonds[kSwapPeriods], annuities[kSwapPeriods];
  float bond = 1.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = model.steps; i < model.rates; ++i) {
    bond = bond / accrue(rates[i]);
    annuity = annuity + model.period * bond;
    bonds[i - model.steps] = bond;
    annuities[i - model.steps] = annuity;
  }
  float value = 0.0f;
#pragma unroll 1
  for (int option = 0; option < model.options; ++option) {
    const float swap = swap_value(option, bonds, annuities);
    if (swap < 0.0f) value += -libor::kNotional * swap;
  }
  return discount_to_today(rates) * value;
}

__global__ void price(int paths, const float* normal_of_path, float* values) {
  const int threads = static_cast<int>(blockDim.x * gridDim.x);
#pragma unroll 1
  for (int path = static_cast<int>(blockDim.x * blockIdx.x + threadIdx.x); path < paths; path += threads) {
    float rates[kRates], normals[kRates];
    begin_path(normal_of_path[path], normals, rates);
    follow_path(normals, rates);
    values[path] = portfolio_value(rates);
  }
}

// The value again, and how it changes with each of the rates at the end, which are overwritten by that.
KEEP_LOOPS __device__ inline float differentiate_portfolio(float* rates) {
  float bonds[kSwapPeriods], annuities[kSwapPeriods], bond_slopes[kSwapPeriods], annuity_slopes[kSwapPeriods];
  const int periods = model.rates - model.steps;
  float bond = 1.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = 0; i < periods; ++i) {
    bond = divide_fast(bond, accrue(rates[model.steps + i]));
    annuity = annuity + model.period * bond;
    bonds[i] = bond;
    annuities[i] = annuity;
  }
#pragma unroll 1
  for (int i = 0; i < periods; ++i) {
    bond_slopes[i] = 0.0f;
    annuity_slopes[i] = 0.0f;
  }
  float value = 0.0f;
  constexpr float kNotional = libor::kNotional;
#pragma unroll 1
  for (int option = 0; option < model.options; ++option) {
    const float swap = swap_value(option, bonds, annuities);
    if (swap < 0.0f) {
      const int last = model.length[option] - 1;
      value += -kNotional * swap;
      annuity_slopes[last] += -kNotional * model.strike[option];
      bond_slopes[last] += -kNotional;
    }
  }
#pragma unroll 1
  for (int i = periods - 1; i >= 0; --i) {
    const double accrued = accrue(rates[model.steps + i]);
    bond_slopes[i] += model.period * annuity_slopes[i];
    rates[model.steps + i] = -bond_slopes[i] * bonds[i] * divide_fast(model.period, accrued);
    if (i > 0) {
      annuity_slopes[i - 1] += annuity_slopes[i];
      bond_slopes[i - 1] += divide_fast(bond_slopes[i], accrued);
    }
  }

  const float discount = discount_to_today(rates);
  value = discount * value;
#pragma unroll 1
  for (int i = 0; i < model.steps; ++i) rates[i] = -value * model.period / accrue(rates[i]);
#pragma unroll 1
  for (int i = model.steps; i < model.rates; ++i) rates[i] = discount * rates[i];
  return value;
}

// From how the value changes with the rates at the end to how it does with those of today, a step at a time.
__device__ inline void go_back(const float* history, float* slopes) {
#pragma unroll 1
  for (int step = model.steps - 1; step >= 0; --step) {
    float sum = 0.0f;  // over the rates whose drift this one is part of
#pragma unroll 1
    for (int i = model.rates - 1; i > step; --i) {
      const float before = history[step * model.rates + i], after = history[(step + 1) * model.rates + i];
      const float volatility = model.volatility[i - step - 1];
      sum += volatility * after * slopes[i];
      const float factor = divide_fast(model.period, accrue(before));
      slopes[i] = slopes[i] * __fdividef(after, before) + sum * volatility * factor * factor;
    }
  }
}

KEEP_LOOPS __global__ void price_and_slope(int paths, const float* normal_of_path, float* values,
                                           float* slope_of_path) {
  const int threads = static_cast<int>(blockDim.x * gridDim.x);
#pragma unroll 1
  for (int path = static_cast<int>(blockDim.x * blockIdx.x + threadIdx.x); path < paths; path += threads) {
    float rates[kRates], history[(kSteps + 1) * kRates], normals[kRates];
    begin_path(normal_of_path[path], normals, rates);
    record_path(normals, rates, history);
    values[path] = differentiate_portfolio(rates);
    go_back(history, rates);
    slope_of_path[path] = rates[libor::kSensitiveRate];
  }
}

// Around the original's 0.3, and so that every option is used on every path.
std::vector<float> draw_normals(int count) {
  workload::Random random(41);
  std::vector<float> normals;
  for (int i = 0; i < count; ++i) normals.push_back(0.2f + 0.2f * random.unit());
  return normals;
}

void check(const libor::Model& host_model, const std::vector<float>& normals, const std::vector<float>& values,
           const std::vector<float>& values_again, const std::vector<float>& slopes) {
  std::vector<double> expected_values, expected_slopes;
  double sum = 0.0;
  for (const float normal : normals) {
    const libor::Price price = libor::reference(host_model, normal);
    if (price.used != kOptions) workload::fail("only %d options are used", price.used);
    expected_values.push_back(price.value.value);
    expected_slopes.push_back(price.value.slope);
    sum += price.value.value;
  }
  workload::expect_near("values", values, expected_values, kTolerance);
  workload::expect_near("values of the second kernel", values_again, expected_values, kTolerance);
  workload::expect_near("slopes", slopes, expected_slopes, kTolerance);
  std::printf("portfolio's value: %.2f\n", sum / static_cast<double>(normals.size()));
}

}  // namespace

int main(int argc, char** argv) {
  int paths = 4096;
  workload::Options("libor", "swaptions priced in the LIBOR market model by Monte Carlo, checked path by path")
      .number("--paths", paths, 1, 1 << 20, "paths, one a thread")
      .parse(argc, argv);

  const libor::Model host_model = libor::make_model();
  CUDA_CHECK(cudaMemcpyToSymbol(model, &host_model, sizeof host_model));
  const std::vector<float> numbers = draw_normals(paths);
  const workload::DeviceArray<float> normals(numbers), values(paths), values_again(paths), slopes(paths);
  const int blocks = std::min((paths + kThreads - 1) / kThreads, kMostBlocks);
  price<<<blocks, kThreads>>>(paths, normals.get(), values.get());
  price_and_slope<<<blocks, kThreads>>>(paths, normals.get(), values_again.get(), slopes.get());
  CUDA_CHECK(cudaGetLastError());

  check(host_model, numbers, values.download(), values_again.download(), slopes.download());
  return workload::pass();
}
