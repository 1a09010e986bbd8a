// Random numbers that are the same on every machine: Steele, Lea and Flood's SplitMix64 (OOPSLA 2014).
#pragma once

#include <cmath>
#include <cstdint>

namespace spmd {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // A whole number from 0 to bound - 1.
  unsigned below(unsigned bound) { return static_cast<unsigned>(((next() >> 32) * bound) >> 32); }

  // A number from 0 up to, not including, 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // A number from `least` up to `most`.
  double between(double least, double most) { return least + (most - least) * unit(); }

 private:
  std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15ull;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state_;
};

}  // namespace spmd
