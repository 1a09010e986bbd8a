// Series for the field of charges in the plane, sum of q / (z - place): from afar in powers of 1 / (z - centre)
// ("multipole"), near a centre without charges in powers of z - centre ("local"); after Greengard and Rokhlin (1987),
// whose series are for the potential, of which the field is the derivative.
#pragma once

#include <array>

#include "common/complex.h"

namespace fmm {

using spmd::Complex;

// Boxes that are not adjacent have an error of at most 0.55 to the power of this, relative to the sum of all sizes.
constexpr int kTerms = 20;

using Series = std::array<Complex, kTerms>;

// Pascal's triangle: binomial[n][k].
using Triangle = std::array<std::array<double, 2 * kTerms>, 2 * kTerms>;
constexpr Triangle make_triangle() {
  Triangle triangle{};
  for (int n = 0; n < 2 * kTerms; ++n) {
    triangle[n][0] = 1;
    for (int k = 1; k <= n; ++k) triangle[n][k] = triangle[n - 1][k - 1] + triangle[n - 1][k];
  }
  return triangle;
}
inline constexpr Triangle kBinomial = make_triangle();

// Adds a charge at `away` from the centre to a multipole series.
inline void add_charge(Series& multipole, double charge, Complex away) {
  Complex power{charge, 0};
  for (Complex& term : multipole) {
    term = term + power;
    power = power * away;
  }
}

// Adds a multipole series whose centre lies at `away` from that of the other.
inline void shift_multipole(Series& to, const Series& from, Complex away) {
  Series powers;
  powers[0] = {1, 0};
  for (int k = 1; k < kTerms; ++k) powers[k] = powers[k - 1] * away;
  for (int k = 0; k < kTerms; ++k)
    for (int i = 0; i <= k; ++i) to[k] = to[k] + kBinomial[k][i] * (powers[k - i] * from[i]);
}

// Adds to a local series what a multipole series means there; `way` leads from the multipole's centre to the other.
inline void add_multipole(Series& local, const Series& multipole, Complex way) {
  const Complex inverse_way = inverse(way);
  Series scaled;
  Complex power = inverse_way;
  for (int k = 0; k < kTerms; ++k) {
    scaled[k] = power * multipole[k];
    power = power * inverse_way;
  }
  Complex factor{1, 0};
  for (int l = 0; l < kTerms; ++l) {
    Complex sum;
    for (int k = 0; k < kTerms; ++k) sum = sum + kBinomial[k + l][l] * scaled[k];
    local[l] = local[l] + factor * sum;
    factor = -1.0 * (factor * inverse_way);
  }
}

// Adds to a local series the field of one charge; `way` leads from the charge to the centre.
inline void add_far_charge(Series& local, double charge, Complex way) {
  const Complex inverse_way = inverse(way);
  Complex power = charge * inverse_way;
  for (Complex& term : local) {
    term = term + power;
    power = -1.0 * (power * inverse_way);
  }
}

// Adds a local series whose centre is `away` from the other's: the other's minus `away`.
inline void shift_local(Series& to, const Series& from, Complex away) {
  Series powers;
  powers[0] = {1, 0};
  for (int k = 1; k < kTerms; ++k) powers[k] = powers[k - 1] * away;
  for (int m = 0; m < kTerms; ++m)
    for (int l = m; l < kTerms; ++l) to[m] = to[m] + kBinomial[l][m] * (powers[l - m] * from[l]);
}

inline Complex evaluate_local(const Series& local, Complex away) {
  Complex sum;
  for (int l = kTerms - 1; l >= 0; --l) sum = sum * away + local[l];
  return sum;
}

inline Complex evaluate_multipole(const Series& multipole, Complex away) {
  const Complex inverse_away = inverse(away);
  Complex sum;
  for (int k = kTerms - 1; k >= 0; --k) sum = (sum + multipole[k]) * inverse_away;
  return sum;
}

}  // namespace fmm
