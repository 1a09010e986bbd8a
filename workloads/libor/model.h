// The LIBOR market model with one factor, a portfolio of swaptions, and both on the host in double precision (Giles and
// Glasserman, "Smoking adjoints", Risk 2006; Glasserman, "Monte Carlo methods in financial engineering", 3.7).
#pragma once

#include <algorithm>

#include "../common/check.h"

namespace libor {

constexpr int kRates = 80;                              // forward rates, for one period each
constexpr int kSteps = 40;                              // in time, one period each; then the swaptions are due
constexpr int kOptions = 15;                            // of the portfolio
constexpr float kPeriod = 0.25f, kRootOfPeriod = 0.5f;  // years
constexpr float kFirstRate = 0.05f;                     // all of them, at the beginning
constexpr float kNotional = 100.0f;

struct Model {
  float volatility[kRates];  // by how many periods a rate lies ahead
  float strike[kOptions];    // the rate of the swap
  int length[kOptions];      // of the swap, in periods
};

inline Model make_model() {
  constexpr int kLengths[] = {4, 8, 20, 28, 40};
  Model model;
  for (int i = 0; i < kRates; ++i) model.volatility[i] = 0.2f - 0.001f * static_cast<float>(i);
  for (int i = 0; i < kOptions; ++i) {
    model.strike[i] = 0.045f + 0.005f * static_cast<float>(i % 3);
    model.length[i] = kLengths[i / 3];
  }
  return model;
}

// A number, and how it changes when all rates of today are shifted.
struct Dual {
  double value, slope;
};

inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
inline Dual operator/(Dual a, Dual b) {
  const double value = a.value / b.value;
  return {value, (a.slope - value * b.slope) / b.value};
}
inline Dual constant(double value) { return {value, 0.0}; }
inline Dual growth(Dual exponent) { return {std::exp(exponent.value), std::exp(exponent.value) * exponent.slope}; }

struct Price {
  Dual value;
  double nearest_strike;  // how near to zero the least decided option is, of a notional of 1
};

// One path; `normals` are `stride` apart.
inline Price reference(const Model& model, const float* normals, std::size_t stride) {
  std::vector<Dual> rates(kRates, Dual{kFirstRate, 1.0});
  const Dual period = constant(kPeriod), one = constant(1.0);
  for (int step = 0; step < kSteps; ++step) {
    Dual drift = constant(0.0);
    for (int i = step + 1; i < kRates; ++i) {
      const double volatility = model.volatility[i - step - 1];
      drift = drift + constant(kPeriod * volatility) * rates[i] / (one + period * rates[i]);
      const double noise = kRootOfPeriod * normals[step * stride] - 0.5 * kPeriod * volatility;
      rates[i] = rates[i] * growth(constant(volatility) * (period * drift + constant(noise)));
    }
  }

  std::vector<Dual> bonds,
      annuities;  // worth, when the options are due, of 1 at the end of a period, of 1 a year until then
  Dual bond = one, annuity = constant(0.0);
  for (int i = kSteps; i < kRates; ++i) {
    bonds.push_back(bond = bond / (one + period * rates[i]));
    annuities.push_back(annuity = annuity + period * bond);
  }
  Price price{constant(0.0), 1.0};
  for (int i = 0; i < kOptions; ++i) {
    const int last = model.length[i] - 1;
    const Dual swap = bonds[last] + constant(model.strike[i]) * annuities[last] + constant(-1.0);
    if (swap.value < 0.0) price.value = price.value + constant(-kNotional) * swap;
    price.nearest_strike = std::min(price.nearest_strike, std::fabs(swap.value));
  }
  for (int i = 0; i < kSteps; ++i) price.value = price.value / (one + period * rates[i]);
  return price;
}

}  // namespace libor
