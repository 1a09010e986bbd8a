// The LIBOR market model with one factor, a portfolio of swaptions, and both on the host in double precision (Giles and
// Glasserman, "Smoking adjoints", Risk 2006; Glasserman, "Monte Carlo methods in financial engineering", 3.7).
#pragma once

#include "../common/check.h"

namespace libor {

constexpr int kRates = 80;              // forward rates, for one period each
constexpr int kSteps = 40;              // in time, one period each; then the swaptions are due
constexpr int kOptions = 15;            // of the portfolio
constexpr double kFirstRate = 0.05;     // all of them, at the beginning
constexpr double kNotional = 100.0;     // of an option
constexpr int kSensitiveRate = kSteps;  // the rate of today by which the value is differentiated

// What there is of each is a number too: the device does not know it when it is compiled.
struct Model {
  int rates, steps, options;
  float period;              // years
  int length[kOptions];      // of the option's swap, in periods
  float strike[kOptions];    // the rate of the swap
  float volatility[kRates];  // by how many periods a rate lies ahead
};

inline Model make_model() {
  constexpr int kLengths[] = {4, 8, 20, 28, 40};
  Model model{kRates, kSteps, kOptions, 0.25f, {}, {}, {}};
  for (int i = 0; i < kRates; ++i) model.volatility[i] = 0.2f - 0.001f * static_cast<float>(i);
  for (int i = 0; i < kOptions; ++i) {
    model.strike[i] = 0.045f + 0.005f * static_cast<float>(i % 3);
    model.length[i] = kLengths[i / 3];
  }
  return model;
}

// A number, and how it changes with the rate of today that has to be differentiated by.
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
  int used;  // options
};

// A path on which each step has the same random number.
inline Price reference(const Model& model, double normal) {
  std::vector<Dual> rates(kRates, constant(kFirstRate));
  rates[kSensitiveRate].slope = 1.0;
  const Dual period = constant(model.period), one = constant(1.0);
  for (int step = 0; step < kSteps; ++step) {
    Dual drift = constant(0.0);
    for (int i = step + 1; i < kRates; ++i) {
      const double volatility = model.volatility[i - step - 1];
      drift = drift + constant(model.period * volatility) * rates[i] / (one + period * rates[i]);
      const double noise = std::sqrt(model.period) * normal - 0.5 * model.period * volatility;
      rates[i] = rates[i] * growth(constant(volatility) * (period * drift + constant(noise)));
    }
  }

  // Worth, when the options are due, of 1 at the end of a period, and of 1 a year until then.
  std::vector<Dual> bonds, annuities;
  Dual bond = one, annuity = constant(0.0);
  for (int i = kSteps; i < kRates; ++i) {
    bonds.push_back(bond = bond / (one + period * rates[i]));
    annuities.push_back(annuity = annuity + period * bond);
  }
  Price price{constant(0.0), 0};
  for (int i = 0; i < kOptions; ++i) {
    const int last = model.length[i] - 1;
    const Dual swap = bonds[last] + constant(model.strike[i]) * annuities[last] + constant(-1.0);
    if (swap.value >= 0.0) continue;
    price.value = price.value + constant(-kNotional) * swap;
    ++price.used;
  }
  for (int i = 0; i < kSteps; ++i) price.value = price.value / (one + period * rates[i]);
  return price;
}

}  // namespace libor
