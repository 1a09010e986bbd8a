// The fast executor against the one-thread-at-a-time reference: random instructions, random operands that like the
// edges, random groupings of lanes. Failing cases shrink to the fewest instructions that differ.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "base/error.h"
#include "fast_run.h"
#include "random_bodies.h"

namespace warpfork::simt {
namespace reference_differential_test {

// The same cases in every run; RC_PARAMS in the environment asks for others.
const bool kSeeded = setenv("RC_PARAMS", "seed=20121", 0) == 0;

std::vector<ThreadRegisters> random_threads(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<ThreadRegisters> threads(count);
  for (ThreadRegisters& thread : threads) thread = random_registers(random);
  return threads;
}

/// Empty if both executors leave the same behind.
std::string disagreement(const std::string& body, const std::vector<ThreadRegisters>& threads, Grouping grouping,
                         std::uint64_t seed) {
  const std::string found = difference(run_reference(body, threads), run_fast(body, threads, grouping, seed));
  return found.empty() ? found : found + "\n" + body;
}

/// Sequences of instructions; each shrinks away as a whole.
rc::Gen<std::vector<std::string>> instructions(std::string (*make)(Random&)) {
  const auto one = rc::gen::map(rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())),
                                [make](std::uint64_t seed) {
                                  Random random(seed);
                                  return make(random);
                                });
  return rc::gen::container<std::vector<std::string>>(one);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

rc::Gen<std::uint64_t> seeds() { return rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())); }

/// One pattern many times over, so that a failing pattern is named by its own test case.
std::string body_of(const std::string& pattern, Random& random) {
  std::string body;
  for (int i = 0; i < 24; ++i) body += "  " + instantiate(pattern, random) + "\n";
  return body;
}

void agrees_on_pattern(const std::string& pattern, Grouping grouping) {
  Random random(0x9e3779b97f4a7c15 * pattern.size());
  const std::vector<ThreadRegisters> threads = random_threads(random(), 32);
  const std::string body = body_of(pattern, random);
  for (const std::uint64_t seed : {2u, 3u, 4u}) EXPECT_EQ(disagreement(body, threads, grouping, seed), "") << pattern;
}

TEST(Differential, every_instruction_pattern_agrees) {
  for (const std::string& pattern : instruction_patterns()) agrees_on_pattern(pattern, Grouping::Scattered);
}

TEST(Differential, every_warp_wide_pattern_agrees) {
  for (const std::string& pattern : warp_instruction_patterns()) agrees_on_pattern(pattern, Grouping::Together);
}

/// Matrices are refused where threads have other lanes.
bool takes_matrices(const std::string& pattern) {
  return pattern.find("mma.") != std::string::npos || pattern.find("matrix.") != std::string::npos;
}

TEST(Differential, warp_wide_patterns_agree_whatever_lanes_the_threads_have) {
  Random random(1);
  for (const std::string& pattern : warp_instruction_patterns()) {
    if (takes_matrices(pattern)) continue;
    const std::vector<ThreadRegisters> threads = random_threads(random(), 128);
    const std::string body = body_of(pattern, random);
    const Outcome expected = run_reference(body, threads);
    for (const NamedLanePermutation& lanes : lane_permutations())
      EXPECT_EQ(difference(expected, run_fast(body, threads, Grouping::Together, 4, "", {}, lanes.permutation)), "")
          << lanes.name << "\n"
          << body;
  }
}

TEST(Differential, straight_line_code_agrees_however_the_lanes_are_grouped) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> lines = *instructions(random_guarded_instruction);
    const std::uint64_t seed = *seeds();
    const std::string found =
        disagreement(joined(lines), random_threads(seed, 1 + seed % 80), Grouping::Scattered, seed);
    if (!found.empty()) RC_FAIL(found);
  }));
}

TEST(Differential, code_with_warp_wide_instructions_agrees) {
  EXPECT_TRUE(rc::check([] {
    const auto either = +[](Random& random) {
      return random() % 3 == 0 ? random_warp_instruction(random) : random_instruction(random);
    };
    // Without guards: one would leave lanes out that the membermask names.
    const std::vector<std::string> lines = *instructions(either);
    const std::uint64_t seed = *seeds();
    const std::string found = disagreement(joined(lines), random_threads(seed, 64), Grouping::Together, seed);
    if (!found.empty()) RC_FAIL(found);
  }));
}

/// Two sides of a branch with a warp-wide instruction on each; masks that name the own side, all lanes, or others.
std::string divergent_warp_instructions(Random& random) {
  static const std::vector<std::string> instructions{
      "vote.sync.[any|all|uni].pred %p1, %P, ",
      "vote.sync.ballot.b32 %r, %P, ",
      "shfl.sync.[up|down|bfly|idx].b32 %r, %r, [1|2|8|16], [0|31|0x1c1f], ",
      "match.any.sync.b32 %r, %r, ",
      "redux.sync.[add|max].u32 %r, %r, ",
      "bar.warp.sync "};
  const auto one = [&](const std::string& own) {
    const std::string masks[] = {own, own, own, "-1", "%c0"};
    const std::string text = instantiate(instructions[random() % instructions.size()], random);
    // A shuffle that reads from its own side goes on, where the reference waits for the other side for ever.
    const bool depends_on_all = text.find("shfl") == std::string::npos;
    return text + (depends_on_all ? masks[random() % std::size(masks)] : own) + ";\n  ";
  };
  return "vote.sync.ballot.b32 %c0, %p0, -1;\n  not.b32 %c1, %c0;\n  @!%p0 bra other;\n  " + one("%c0") + one("%c0") +
         "bra meet;\nother:\n  " + one("%c1") + "meet:\n  " + one("-1");
}

/// What the run of the fast executor throws; empty if it ends well.
std::string refusal(const std::string& body, const std::vector<ThreadRegisters>& threads) {
  try {
    run_fast(body, threads, Grouping::Together, 2);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The reference waits for all members, whatever path they come from; the fast executor refuses where it would have to.
TEST(Differential, divergent_code_with_member_masks_agrees_or_is_refused) {
  Random random(2027);
  unsigned refused = 0, agreed = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const std::string body = divergent_warp_instructions(random);
    const std::vector<ThreadRegisters> threads = random_threads(random(), 32);
    const std::string refusal_text = refusal(body, threads);
    if (refusal_text.empty()) {
      ++agreed;
      EXPECT_EQ(disagreement(body, threads, Grouping::Together, 2), "");
    } else {
      ++refused;
      EXPECT_NE(refusal_text.find("its member mask"), std::string::npos) << refusal_text;
    }
  }
  EXPECT_GT(std::min(refused, agreed), 100u);
}

TEST(Differential, structured_programs_agree_however_the_lanes_are_grouped) {
  EXPECT_TRUE(rc::check([] {
    const auto size = *rc::gen::inRange(1u, 60u);
    const std::uint64_t seed = *seeds();
    Random random(seed);
    const std::string body = random_program(random, size);
    const std::string found = disagreement(body, random_threads(seed, 1 + seed % 70), Grouping::Scattered, seed);
    if (!found.empty()) RC_FAIL(found);
  }));
}

constexpr const char* kFunctions = R"(
.func (.param .b32 result) inner(.param .b32 a, .param .b64 b)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  .reg .pred %p<1>;
  ld.param.b32 %r0, [a];
  ld.param.b64 %d0, [b];
  cvt.u32.u64 %r1, %d0;
  setp.lt.s32 %p0, %r0, %r1;
  @%p0 bra small;
  sub.s32 %r0, %r0, %r1;
  st.param.b32 [result], %r0;
  ret;
small:
  xor.b32 %r0, %r0, %r1;
  st.param.b32 [result], %r0;
  ret;
}
.func (.param .b32 result) outer(.param .b32 a)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  ld.param.b32 %r0, [a];
  cvt.s64.s32 %d0, %r0;
  {
    .param .b32 first;
    .param .b64 second;
    .param .b32 back;
    st.param.b32 [first], 77;
    st.param.b64 [second], %d0;
    call.uni (back), inner, (first, second);
    ld.param.b32 %r1, [back];
  }
  add.u32 %r1, %r1, %r0;
  st.param.b32 [result], %r1;
  ret;
}
)";
constexpr const char* kCall = R"(
  {
    .param .b32 argument;
    .param .b32 back;
    st.param.b32 [argument], %r1;
    call.uni (back), outer, (argument);
    ld.param.b32 %r0, [back];
  }
  @%p0 add.u32 %r1, %r0, 3;)";

TEST(Differential, calls_of_device_functions_agree) {
  const std::vector<ThreadRegisters> threads = random_threads(5, 64);
  const std::string body = std::string(kCall) + kCall;
  EXPECT_EQ(
      difference(run_reference(body, threads, kFunctions), run_fast(body, threads, Grouping::Scattered, 5, kFunctions)),
      "");
}

/// Each thread computes, stores a register for another one, and takes what that one has stored.
std::string computed_and_exchanged(Random& random) {
  return fmt::format(
      "  {}\n  mad.lo.u32 %c15, %thread, 16, %scratch;\n  st.shared.b32 [%c15+12], %r{};\n  bar.sync 0;\n"
      "  xor.b32 %c14, %thread, {};\n  mad.lo.u32 %c14, %c14, 16, %scratch;\n  ld.shared.b32 %r{}, [%c14+12];\n"
      "  bar.sync {};\n",
      instantiate("{ .reg .pred %w; setp.lt.s32 %w, %r, %r; @%w bra skip; add.u32 %r, %r, %R; skip: }", random),
      random() % 8, 1 + random() % 63, random() % 8, random() % 16);
}

TEST(Differential, barriers_between_structured_programs_let_threads_exchange_values) {
  EXPECT_TRUE(rc::check([] {
    const std::uint64_t seed = *seeds();
    Random random(seed);
    std::string body;
    for (int phase = 0; phase < 3; ++phase) body += computed_and_exchanged(random);
    const std::string found = disagreement(body, random_threads(seed, 64), Grouping::Scattered, seed);
    if (!found.empty()) RC_FAIL(found);
  }));
}

}  // namespace reference_differential_test
}  // namespace warpfork::simt
