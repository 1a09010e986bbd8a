// The fast executor's approximate instructions against the reference's exact ones, under the largest error that the PTX
// ISA states for each ("Floating-Point Instructions").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "fast_run.h"
#include "random_bodies.h"

namespace warpfork::simt {
namespace reference_approximate_test {

/// A result is right if it is within `relative`·|exact| + `absolute` of the exact one.
struct Tolerance {
  double relative = 0, absolute = 0;
};

/// Runs `%r0 = instruction(%r1, %r2)` on 256 pairs of operands in the given range of exponents.
void stays_within(const std::string& instruction, int lowest_exponent, int highest_exponent, Tolerance tolerance) {
  Random random(instruction.size());
  const auto operand = [&] {
    const auto exponent =
        static_cast<std::uint32_t>(lowest_exponent + 127) +
        static_cast<std::uint32_t>(random() % static_cast<unsigned>(highest_exponent - lowest_exponent));
    return static_cast<std::uint32_t>((random() & 0x807fffff) | exponent << 23);
  };
  std::vector<ThreadRegisters> threads(256);
  for (ThreadRegisters& thread : threads) {
    thread.r[1] = operand();
    thread.r[2] = operand();
  }
  const Outcome exact = run_reference(instruction, threads);
  const Outcome fast = run_fast(instruction, threads, Grouping::Scattered, 2);
  for (const unsigned seed : {3u, 4u})
    EXPECT_EQ(run_fast(instruction, threads, Grouping::Scattered, seed), fast) << "of other handlers";
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const double want = std::bit_cast<float>(exact.threads[i].r[0]), got = std::bit_cast<float>(fast.threads[i].r[0]);
    if (std::isnan(want) || std::isinf(want)) {
      EXPECT_EQ(exact.threads[i].r[0], fast.threads[i].r[0]) << instruction;
      continue;
    }
    // the reference is rounded too: half a unit in the last place, or in that of the subnormals
    const double allowed = std::fabs(want) * (tolerance.relative + 0x1p-24) + tolerance.absolute + 0x1p-149;
    EXPECT_NEAR(got, want, allowed) << instruction << fmt::format(" of {:#x}, {:#x}", threads[i].r[1], threads[i].r[2]);
  }
}

TEST(Approximate, reciprocal_and_roots_stay_within_the_stated_error) {
  stays_within("rcp.approx.f32 %r0, %r1;", -120, 120, {.relative = 0x1p-23});
  stays_within("rcp.approx.ftz.f32 %r0, %r1;", -126, 126, {.relative = 0x1p-23});
  stays_within("sqrt.approx.f32 %r0, %r1;", -126, 127, {.relative = 0x1p-23});
  stays_within("rsqrt.approx.f32 %r0, %r1;", -126, 127, {.relative = 0x1.2p-23});  // 2^-22.9 of the ISA, rounded up
}

TEST(Approximate, division_stays_within_two_units) {
  stays_within("div.full.f32 %r0, %r1, %r2;", -60, 60, {.relative = 0x1p-22});
  stays_within("div.approx.f32 %r0, %r1, %r2;", -60, 60, {.relative = 0x1p-22});
  stays_within("div.approx.ftz.f32 %r0, %r1, %r2;", -60, 60, {.relative = 0x1p-22});
}

TEST(Approximate, sine_and_cosine_stay_within_the_stated_error_near_zero) {
  stays_within("sin.approx.f32 %r0, %r1;", -20, 2, {.absolute = 0x1.6ap-21});  // 2^-20.5
  stays_within("cos.approx.f32 %r0, %r1;", -20, 2, {.absolute = 0x1.6ap-21});
  stays_within("sin.approx.ftz.f32 %r0, %r1;", -126, -20, {.absolute = 0x1.6ap-21});
}

TEST(Approximate, logarithm_and_exponential_stay_within_the_stated_error) {
  stays_within("lg2.approx.f32 %r0, %r1;", -1, 1, {.absolute = 0x1p-22});
  stays_within("lg2.approx.f32 %r0, %r1;", 1, 127, {.relative = 0x1p-22});
  stays_within("lg2.approx.ftz.f32 %r0, %r1;", -126, -2, {.relative = 0x1p-22});
  stays_within("ex2.approx.f32 %r0, %r1;", -30, 7, {.relative = 0x1p-22});
  stays_within("ex2.approx.ftz.f32 %r0, %r1;", -30, 6, {.relative = 0x1p-22});
  stays_within("tanh.approx.f32 %r0, %r1;", -30, 10, {.relative = 0x1p-11});
}

TEST(Approximate, double_precision_forms_have_at_least_the_leading_bits) {
  Random random(2);
  std::vector<ThreadRegisters> threads(256);
  for (ThreadRegisters& thread : threads)  // exponents within ±500 of 1
    thread.d[1] = (random() & 0x000fffffffffffff) | (1023 - 500 + random() % 1000) << 52;
  for (const char* instruction : {"rcp.approx.ftz.f64", "rsqrt.approx.f64", "rsqrt.approx.ftz.f64"}) {
    const std::string body = fmt::format("{} %d0, %d1;", instruction);
    const Outcome exact = run_reference(body, threads), fast = run_fast(body, threads, Grouping::Scattered, 1);
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const auto want = std::bit_cast<double>(exact.threads[i].d[0]), got = std::bit_cast<double>(fast.threads[i].d[0]);
      // the ISA: the upper 32 bits of operand and result count, 20 of the fraction
      EXPECT_NEAR(got, want, want * 0x1p-19) << body;
    }
  }
}

TEST(Approximate, special_operands_have_the_exact_results_of_the_isa) {
  std::vector<ThreadRegisters> threads;
  for (const std::uint32_t bits : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u}) {
    threads.emplace_back();
    threads.back().r[1] = bits;
  }
  for (const char* instruction : {"rcp.approx", "sqrt.approx", "rsqrt.approx", "sin.approx", "cos.approx", "lg2.approx",
                                  "ex2.approx", "tanh.approx"}) {
    for (const char* flush : {"", ".ftz"}) {
      if (instruction == std::string("tanh.approx") && *flush != '\0') continue;
      const std::string body = fmt::format("{}{}.f32 %r0, %r1;", instruction, flush);
      const Outcome exact = run_reference(body, threads), fast = run_fast(body, threads, Grouping::Together, 1);
      for (std::size_t i = 0; i < threads.size(); ++i)
        EXPECT_EQ(fast.threads[i].r[0], exact.threads[i].r[0]) << body << fmt::format(" of {:#x}", threads[i].r[1]);
    }
  }
}

}  // namespace reference_approximate_test
}  // namespace warpfork::simt
