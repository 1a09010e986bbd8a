// The microbenchmark of STSIMT section 5.2 with lanes that compress cycles. Additions take a unit of eight lanes one
// cycle for each step, up to four, and behind n of them a dependent comes 12 + n cycles after its source; a warp issues
// in each cycle at most. All expected values are these closed forms, computed by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "dependent_additions.h"

namespace warpfork::gpu {
namespace compressing_golden_test {

constexpr unsigned kWarps[] = {1, 2, 4, 8, 16, 32};

/// Thread instructions a cycle of so many threads, which take so many steps.
double closed_form(unsigned warps, unsigned threads, unsigned steps) {
  return double(warps) * threads / std::max({12 + steps, steps * warps, warps});
}

void expect(const char* lanes, unsigned threads, const std::string& sets_p0, unsigned steps) {
  for (const unsigned warps : kWarps) {
    const double expected = closed_form(warps, threads, steps);
    EXPECT_NEAR(ipc(lanes, warps, threads, sets_p0, 1, kOfOne), expected, 0.02 * expected)
        << lanes << ", " << warps << " warps, " << sets_p0;
  }
}

TEST(CompressingMicrobenchmark, neighbouring_threads_take_a_step_for_each_eight) {
  for (const char* lanes : {"simt-bcc", "simt-scc"})
    for (const unsigned active : {1u, 8u, 9u, 16u, 17u, 24u, 25u, 32u})
      expect(lanes, active, "setp.ge.u32 %p0, %r2, " + std::to_string(active), (active + 7) / 8);
}

// Threads 0, 4, 8 …: two of each group, eight in all.
TEST(CompressingMicrobenchmark, scattered_threads_take_all_steps_unless_they_are_packed) {
  const char* others = "and.b32 %r4, %r2, 3; setp.ne.u32 %p0, %r4, 0";
  expect("simt-bcc", 8, others, 4);
  expect("simt-scc", 8, others, 1);
}

// Eight threads that begin in the middle of a group.
TEST(CompressingMicrobenchmark, threads_of_two_groups_take_two_steps_unless_they_are_packed) {
  const char* others = "sub.u32 %r4, %r2, 4; setp.ge.u32 %p0, %r4, 8";
  expect("simt-bcc", 8, others, 2);
  expect("simt-scc", 8, others, 1);
}

// All 32 threads are active, and of each addition eight execute: 13 cycles from one to the next.
TEST(CompressingMicrobenchmark, threads_whose_guard_is_false_take_no_step) {
  const char* guards = "setp.lt.u32 %p2, %r2, 8; setp.ge.u32 %p0, %r2, 32";
  for (const unsigned warps : {1u, 8u})
    EXPECT_NEAR(ipc("simt-bcc", warps, 32, guards, 1, "@%p2 add.u32 %r3, %r3, 1;"), warps * 32 / 13.0,
                0.02 * warps * 32 / 13.0)
        << warps;
}

}  // namespace compressing_golden_test
}  // namespace warpfork::gpu
