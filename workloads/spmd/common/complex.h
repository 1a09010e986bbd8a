// Complex numbers as two plain ones: std::complex multiplies and divides with checks for infinities.
#pragma once

namespace spmd {

struct Complex {
  double re = 0, im = 0;
};

inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Complex operator*(double factor, Complex a) { return {factor * a.re, factor * a.im}; }

// The square of the absolute value.
inline double norm(Complex a) { return a.re * a.re + a.im * a.im; }

inline Complex inverse(Complex a) { return 1 / norm(a) * Complex{a.re, -a.im}; }

}  // namespace spmd
