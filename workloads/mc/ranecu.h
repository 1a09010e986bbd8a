// Random numbers for photon histories: two multiplicative congruential sequences combined (L'Ecuyer, Efficient and
// Portable Combined Random Number Generators, CACM 31, 1988), the generator of MC-GPU. Integers only, so that host and
// device draw the same numbers.
#pragma once

class Ranecu {
 public:
  // Starts at number `history` * 1024 of the sequence. Few histories draw so many numbers.
  __host__ __device__ explicit Ranecu(unsigned history)
      : first_(skip(kFirstFactor, kFirstModulus, history)), second_(skip(kSecondFactor, kSecondModulus, history)) {}

  // A number between 0 and 1, neither included: an odd multiple of 2^-24.
  __host__ __device__ float next() {
    first_ = advanced(first_, kFirstFactor, kFirstModulus);
    second_ = advanced(second_, kSecondFactor, kSecondModulus);
    int mixed = first_ - second_;
    if (mixed < 1) mixed += kFirstModulus - 1;
    return (static_cast<float>(mixed >> 8) + 0.5f) * (1.0f / 8388608.0f);
  }

 private:
  static constexpr int kFirstFactor = 40014, kFirstModulus = 2147483563;
  static constexpr int kSecondFactor = 40692, kSecondModulus = 2147483399;

  // factor * seed mod modulus in 32 bits (Schrage 1979).
  __host__ __device__ static int advanced(int seed, int factor, int modulus) {
    const int quotient = modulus / factor, remainder = modulus % factor;
    const int parts = seed / quotient;
    const int product = factor * (seed - parts * quotient) - parts * remainder;
    return product < 0 ? product + modulus : product;
  }

  // factor ^ (1024 * history) mod modulus, the seed that many numbers after 1.
  __host__ __device__ static int skip(int factor, int modulus, unsigned history) {
    const unsigned long long divisor = static_cast<unsigned long long>(modulus);
    unsigned long long power = static_cast<unsigned long long>(factor), seed = 1;
    for (int i = 0; i < 10; ++i) power = power * power % divisor;
    for (; history != 0; history >>= 1) {
      if ((history & 1) != 0) seed = seed * power % divisor;
      power = power * power % divisor;
    }
    return static_cast<int>(seed);
  }

  int first_, second_;
};
