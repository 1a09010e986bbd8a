// Swaptions priced in the LIBOR market model by Monte Carlo: LIB of the spatio-temporal SIMT paper's Table II, Giles's
// program among those of Bakhoda et al. 2009. A thread follows a path of 80 forward rates, which it keeps in local
// memory; the second kernel also keeps their past and goes all the way back, for the sensitivity to the rates of today
// (adjoints).
//
// Hardly diverges: all paths are as long, and an option that is worth nothing spares two additions.
#include "model.h"

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ libor::Model device_model;

namespace {

using libor::kNotional;
using libor::kOptions;
using libor::kPeriod;
using libor::kRates;
using libor::kSteps;

constexpr int kThreads = 64;
constexpr int kSwapPeriods = kRates - kSteps;

// 40 steps, each an exponential within 2^-21 and three roundings, leave a rate within 2.6e-5 of what it should be. If
// all rates were wrong by that much, the swaps of the portfolio would be by 8e-3 together and no one of them, of a
// notional of 1, by more than 1.1e-5; a path's value is about 40.
constexpr double kTolerance = 2e-4, kUndecided = 2e-5;

__device__ inline float discount(float rate) { return 1.0f / fmaf(kPeriod, rate, 1.0f); }

// One step in time: all rates that are not yet fixed, from `now` to `next`, which may be the same.
__device__ inline void advance(int step, float normal, const float* now, float* next) {
  const float noise = libor::kRootOfPeriod * normal;
  float drift = 0.0f;
  for (int i = step + 1; i < kRates; ++i) {
    const float volatility = device_model.volatility[i - step - 1], scaled = kPeriod * volatility, rate = now[i];
    drift += scaled * rate * discount(rate);
    next[i] = rate * __expf(fmaf(scaled, drift, volatility * fmaf(-0.5f, scaled, noise)));
  }
}

// Worth, when the options are due, of 1 at the end of each period, and of 1 a year until then.
__device__ inline void make_curve(const float* rates, float* bonds, float* annuities) {
  float bond = 1.0f, annuity = 0.0f;
  for (int i = 0; i < kSwapPeriods; ++i) {
    bond *= discount(rates[kSteps + i]);
    annuity = fmaf(kPeriod, bond, annuity);
    bonds[i] = bond;
    annuities[i] = annuity;
  }
}

// What the option's swap is worth to who pays the floating rate; the option is used if it is negative.
__device__ inline float swap_value(int option, const float* bonds, const float* annuities) {
  const int last = device_model.length[option] - 1;
  return fmaf(device_model.strike[option], annuities[last], bonds[last]) - 1.0f;
}

__device__ inline float portfolio_value(const float* rates, const float* bonds, const float* annuities) {
  float value = 0.0f;
  for (int option = 0; option < kOptions; ++option) {
    const float swap = swap_value(option, bonds, annuities);
    if (swap < 0.0f) value = fmaf(-kNotional, swap, value);
  }
  for (int i = 0; i < kSteps; ++i) value *= discount(rates[i]);
  return value;
}

__global__ void price(int paths, const float* normals, float* values) {
  const int path = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (path >= paths) return;
  float rates[kRates], bonds[kSwapPeriods], annuities[kSwapPeriods];
  for (int i = 0; i < kRates; ++i) rates[i] = libor::kFirstRate;
  for (int step = 0; step < kSteps; ++step) advance(step, normals[step * paths + path], rates, rates);
  make_curve(rates, bonds, annuities);
  values[path] = portfolio_value(rates, bonds, annuities);
}

// How the portfolio's value, which is `value`, changes with each rate at the end. `bonds` and `annuities` are used up.
__device__ inline void differentiate_portfolio(const float* rates, float value, float* bonds, float* annuities,
                                               float* slopes) {
  float discounts = 1.0f;
  for (int i = 0; i < kSteps; ++i) {
    slopes[i] = -value * kPeriod * discount(rates[i]);
    discounts *= discount(rates[i]);
  }
  float bond_slopes[kSwapPeriods], annuity_slopes[kSwapPeriods];
  for (int i = 0; i < kSwapPeriods; ++i) bond_slopes[i] = annuity_slopes[i] = 0.0f;
  for (int option = 0; option < kOptions; ++option) {
    if (swap_value(option, bonds, annuities) >= 0.0f) continue;
    const int last = device_model.length[option] - 1;
    bond_slopes[last] -= kNotional * discounts;
    annuity_slopes[last] -= kNotional * discounts * device_model.strike[option];
  }
  float bond_slope = 0.0f, annuity_slope = 0.0f;  // of all that comes behind
  for (int i = kSwapPeriods - 1; i >= 0; --i) {
    annuity_slope += annuity_slopes[i];
    bond_slope += fmaf(kPeriod, annuity_slope, bond_slopes[i]);
    slopes[kSteps + i] = -bond_slope * bonds[i] * kPeriod * discount(rates[kSteps + i]);
    bond_slope *= discount(rates[kSteps + i]);
  }
}

// The step backwards: from how the value changes with the rates after it to how it does with those before.
__device__ inline void go_back(int step, const float* before, const float* after, float* slopes) {
  float sum = 0.0f;  // over the rates whose drift this one is part of
  for (int i = kRates - 1; i > step; --i) {
    const float volatility = device_model.volatility[i - step - 1], factor = kPeriod * discount(before[i]);
    sum = fmaf(volatility * after[i], slopes[i], sum);
    slopes[i] = fmaf(slopes[i], after[i] / before[i], volatility * factor * factor * sum);
  }
}

__global__ void price_and_slope(int paths, const float* normals, float* values, float* slope_of_shift) {
  const int path = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (path >= paths) return;
  float history[(kSteps + 1) * kRates], bonds[kSwapPeriods], annuities[kSwapPeriods], slopes[kRates];
  for (int i = 0; i < kRates; ++i) history[i] = libor::kFirstRate;
  for (int step = 0; step < kSteps; ++step) {
    float* const now = history + step * kRates;
    for (int i = 0; i <= step; ++i) now[kRates + i] = now[i];
    advance(step, normals[step * paths + path], now, now + kRates);
  }
  const float* const rates = history + kSteps * kRates;
  make_curve(rates, bonds, annuities);
  const float value = portfolio_value(rates, bonds, annuities);
  differentiate_portfolio(rates, value, bonds, annuities, slopes);
  for (int step = kSteps - 1; step >= 0; --step)
    go_back(step, history + step * kRates, history + (step + 1) * kRates, slopes);

  float sum = 0.0f;
  for (int i = 0; i < kRates; ++i) sum += slopes[i];
  values[path] = value;
  slope_of_shift[path] = sum;
}

// By the polar method (Marsaglia and Bray 1964), which takes only pairs of numbers from within the unit circle.
std::vector<float> draw_normals(std::size_t count) {
  workload::Random random(41);
  std::vector<float> normals;
  while (normals.size() < count) {
    const double x = 2.0 * random.unit() - 1.0, y = 2.0 * random.unit() - 1.0, square = x * x + y * y;
    if (square > 0.0 && square < 1.0)
      normals.push_back(static_cast<float>(x * std::sqrt(-2.0 * std::log(square) / square)));
  }
  return normals;
}

// Where an option is all but indifferent, rounding decides whether it counts: no slope is right there.
void check_slopes(const std::vector<float>& got, const std::vector<libor::Price>& prices) {
  std::vector<float> decided;
  std::vector<double> expected;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (prices[i].nearest_strike < kUndecided) continue;
    decided.push_back(got[i]);
    expected.push_back(prices[i].value.slope);
  }
  if (expected.size() < got.size() * 9 / 10)
    workload::fail("only %zu of %zu paths are decided", expected.size(), got.size());
  workload::expect_near("slopes", decided, expected, kTolerance);
}

}  // namespace

int main(int argc, char** argv) {
  int paths = 4096;
  workload::Options("libor", "swaptions priced in the LIBOR market model by Monte Carlo, checked path by path")
      .number("--paths", paths, 1, 1 << 20, "paths, one a thread")
      .parse(argc, argv);

  const libor::Model model = libor::make_model();
  const std::vector<float> numbers = draw_normals(static_cast<std::size_t>(paths) * kSteps);
  CUDA_CHECK(cudaMemcpyToSymbol(device_model, &model, sizeof model));
  const workload::DeviceArray<float> normals(numbers), values(paths), values_again(paths), slopes(paths);
  const int blocks = (paths + kThreads - 1) / kThreads;
  price<<<blocks, kThreads>>>(paths, normals.get(), values.get());
  price_and_slope<<<blocks, kThreads>>>(paths, normals.get(), values_again.get(), slopes.get());
  CUDA_CHECK(cudaGetLastError());

  std::vector<libor::Price> prices;
  std::vector<double> expected;
  double sum = 0.0;
  for (int path = 0; path < paths; ++path) {
    prices.push_back(libor::reference(model, numbers.data() + path, paths));
    expected.push_back(prices.back().value.value);
    sum += expected.back();
  }
  workload::expect_near("values", values.download(), expected, kTolerance);
  workload::expect_near("values of the second kernel", values_again.download(), expected, kTolerance);
  check_slopes(slopes.download(), prices);
  std::printf("portfolio's value: %.2f\n", sum / paths);
  return workload::pass();
}
