// Prices of European options after PARSEC's blackscholes (Bienia et al. 2008): the formula of Black and Scholes (1973)
// with the cumulative normal distribution by a polynomial of fifth degree (Abramowitz and Stegun, 26.2.17). As in the
// original, the whole portfolio is priced many times over, in single precision.
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"

namespace {

struct Option {
  float spot, strike, rate, volatility, years;
  bool put;
};

struct Portfolio {
  std::vector<Option> options;
  int rounds;
  std::vector<float> prices;
};

float normal_distribution(float x) {
  const bool negative = x < 0;
  if (negative) x = -x;
  const float density = static_cast<float>(1 / std::sqrt(2 * std::numbers::pi)) * std::exp(-0.5f * x * x);
  const float k = 1 / (1 + 0.2316419f * x);
  const float sum =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float above = density * sum;
  return negative ? above : 1 - above;
}

float price(const Option& option) {
  const float root = std::sqrt(option.years);
  const float spread = option.volatility * root;
  const float growth = (option.rate + 0.5f * option.volatility * option.volatility) * option.years;
  const float d1 = (std::log(option.spot / option.strike) + growth) / spread;
  const float in_money = normal_distribution(d1);
  const float exercised = normal_distribution(d1 - spread);
  const float future_strike = option.strike * std::exp(-option.rate * option.years);
  if (option.put) return future_strike * (1 - exercised) - option.spot * (1 - in_money);
  return option.spot * in_money - future_strike * exercised;
}

extern "C" [[gnu::noinline]] void* blackscholes_worker(void* start) {
  const auto [portfolio, thread, threads] = *static_cast<spmd::Start<Portfolio>*>(start);
  const spmd::Range range = spmd::share(static_cast<int>(portfolio->options.size()), threads, thread);
  for (int round = 0; round < portfolio->rounds; ++round)
    for (int i = range.begin; i < range.end; ++i) portfolio->prices[i] = price(portfolio->options[i]);
  return nullptr;
}

// The same formula in double precision, with the exact distribution; a put by the parity of puts and calls.
double reference(const Option& option) {
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  const double spread = option.volatility * std::sqrt(double{option.years});
  const double forward = option.spot * std::exp(double{option.rate} * option.years);
  const double d1 = std::log(forward / option.strike) / spread + spread / 2;
  const double discount = std::exp(-double{option.rate} * option.years);
  const double call = discount * (forward * distribution(d1) - option.strike * distribution(d1 - spread));
  return option.put ? call - option.spot + option.strike * discount : call;
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"OPTIONS", 512, 4096, 1, 1 << 24}, {"ROUNDS", 3, 100, 1, 1000000}});
  spmd::Random random(3);
  Portfolio portfolio{{}, command[1], std::vector<float>(command[0])};
  for (int i = 0; i < command[0]; ++i) {
    const auto number = [&](double least, double most) { return static_cast<float>(random.between(least, most)); };
    const float spot = number(20, 120);
    portfolio.options.push_back(
        {spot, spot * number(0.7, 1.3), number(0.02, 0.1), number(0.1, 0.6), number(0.1, 1), random.below(2) == 1});
  }
  spmd::run_threads(command.threads(), blackscholes_worker, portfolio);

  spmd::Verdict verdict;
  double sum = 0;
  for (int i = 0; i < command[0]; ++i) {
    const Option& option = portfolio.options[i];
    // Some roundings of numbers as large as the spot, and the polynomial's error of 7.5e-8.
    verdict.near("price", i, portfolio.prices[i], reference(option), 2e-6 * option.spot);
    sum += portfolio.prices[i];
  }
  std::printf("blackscholes: %d options worth %.4f\n", command[0], sum);
  return verdict.conclude();
}
