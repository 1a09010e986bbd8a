// Threads that an instruction names are waited for where the mechanism gathers them (docs/adr/0037).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "every_mechanism.h"

namespace warpfork::gpu {
namespace warp_meetings_test {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

std::vector<std::string> gathering_mechanisms() {
  return divergence_mechanism_names([](const DivergenceMechanism& one) { return one.make({})->gathers(); });
}

class WarpMeetings : public UnderEveryMechanism {
 protected:
  /// One block of a warp.
  std::vector<std::uint32_t> result(const std::string& body, const std::string& module = "") const {
    const Kernel kernel(body + "st.global.u32 [%mine], %r5;\nret;", {1, 1, 1}, {32, 1, 1}, 32, module);
    EXPECT_EQ(error(kernel), "");
    return kernel.out();
  }
};

/// Threads below 16 take the side LOW.
const std::string kBranch = "mov.u32 %r5, 0;\nsetp.lt.u32 %p0, %thread, 16;\n@%p0 bra LOW;\n";

// What the others have written before they came is seen.
TEST_P(WarpMeetings, both_sides_of_a_branch_meet_at_barriers_of_their_own) {
  const std::string put = "st.volatile.shared.u32 [%r1], %r2;\nbar.warp.sync -1;\nld.volatile.shared.u32 %r5, [%r3];\n";
  EXPECT_THAT(
      result(".shared .b32 box[32];\nmov.u32 %r0, box;\nmad.lo.u32 %r1, %thread, 4, %r0;\nxor.b32 %r3, %thread, "
             "16;\nmad.lo.u32 %r3, %r3, 4, %r0;\n" +
             kBranch + "mov.u32 %r2, 7;\n" + put + "bra MEET;\nLOW:\nmov.u32 %r2, 7;\n" + put + "MEET:\n"),
      Each(7u));
}

TEST_P(WarpMeetings, those_that_wait_where_the_branch_ends_come_to_a_barrier_behind_it) {
  EXPECT_THAT(result(kBranch + "bra MEET;\nLOW:\nbar.warp.sync -1;\nMEET:\nbar.warp.sync -1;\nmov.u32 %r5, 1;\n"),
              Each(1u));
}

TEST_P(WarpMeetings, threads_that_exit_are_waited_for_no_longer) {
  const std::vector<std::uint32_t> out =
      result(kBranch + "ret;\nLOW:\nredux.sync.add.u32 %r5, 1, -1;\nvote.sync.ballot.b32 %r6, %p0, -1;\n");
  EXPECT_EQ(out[3], 16u);
  EXPECT_EQ(out[16], 0u);
}

// `a && b || c` as compilers write it: threads come to BODY by two ways, and others pass it by.
TEST_P(WarpMeetings, those_that_come_to_one_place_by_several_ways_go_on_as_one) {
  const std::vector<std::uint32_t> out = result(
      "mov.u32 %r5, 0;\nand.b32 %r0, %thread, 3;\nsetp.ne.u32 %p1, %r0, 3;\nvote.sync.ballot.b32 %r1, %p1, -1;\n"
      "setp.eq.u32 %p0, %r0, 0;\n@%p0 bra BODY;\nsetp.eq.u32 %p2, %r0, 3;\n@%p2 bra MEET;\nadd.u32 %r7, %r0, 1;\n"
      "BODY:\nredux.sync.add.u32 %r5, 1, %r1;\nshfl.sync.idx.b32 %r6, %thread, 1, 31, %r1;\nadd.u32 %r5, %r5, %r6;\n"
      "MEET:\n");
  EXPECT_EQ(out[0], 25u);  // 24 threads, and thread 1's number
  EXPECT_EQ(out[2], 25u);
  EXPECT_EQ(out[3], 0u);
}

// A shuffle orders no memory, but the ISA has it wait for all that it names: else those of the upper side would be one
// turn ahead when the lower one asks for theirs.
TEST_P(WarpMeetings, a_shuffle_waits_for_all_that_it_names_though_it_reads_of_few) {
  const std::vector<std::uint32_t> out = result(
      "mov.u32 %r5, 0;\nmov.u32 %r0, 0;\nand.b32 %r1, %thread, 1;\nsetp.eq.u32 %p0, %r1, 0;\nNEXT:\n@%p0 bra EVEN;\n"
      "mul.lo.u32 %r2, %r0, 10;\nbra.uni SHUFFLE;\nEVEN:\nsetp.gt.u32 %p1, %r0, 9;\n@%p1 bra MEET;\n"
      "mul.lo.u32 %r2, %r0, 10;\nSHUFFLE:\nshfl.sync.down.b32 %r6, %r2, 1, 31, -1;\nsub.u32 %r6, %r6, %r2;\n"
      "add.u32 %r5, %r5, %r6;\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p2, %r0, 5;\n@%p2 bra NEXT;\nMEET:\n");
  EXPECT_THAT(out, Each(0u));
}

TEST_P(WarpMeetings, values_of_threads_that_execute_another_instruction_cannot_be_read) {
  const Kernel kernel(kBranch +
                          "redux.sync.add.u32 %r5, 1, -1;\nbra MEET;\nLOW:\nredux.sync.add.u32 %r5, 2, -1;\n"
                          "MEET:\nst.global.u32 [%mine], %r5;\nret;",
                      {1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(error(kernel), AllOf(HasSubstr("its member mask 0xffffffff names thread ("), HasSubstr("of its warp")));
}

TEST_P(WarpMeetings, who_waits_for_threads_at_a_barrier_of_the_block_is_told) {
  const Kernel kernel(kBranch + "bar.sync 0;\nbra MEET;\nLOW:\nbar.warp.sync -1;\nMEET:\nret;", {1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(error(kernel), AllOf(HasSubstr("is deadlocked"), HasSubstr("waits at the barrier at pc"),
                                   HasSubstr("waits for threads that it names at pc")));
}

TEST_P(WarpMeetings, who_waits_at_an_instruction_of_another_kind_has_not_come) {
  const Kernel kernel(kBranch + "bar.warp.sync -1;\nbra MEET;\nLOW:\nredux.sync.add.u32 %r5, 1, -1;\nMEET:\nret;",
                      {1, 1, 1}, {32, 1, 1});
  EXPECT_THAT(error(kernel), HasSubstr("is deadlocked"));
}

// Threads that wait at a lock, and those that hold it at a barrier for all of the warp.
TEST_P(WarpMeetings, threads_that_spin_let_others_come) {
  EXPECT_THAT(result(".shared .b32 flag;\n" + kBranch +
                     "SPIN:\nld.volatile.shared.u32 %r1, [flag];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra SPIN;\nbra MEET;\n"
                     "LOW:\nbar.warp.sync 0xffff;\nst.volatile.shared.u32 [flag], 1;\nMEET:\nbar.warp.sync -1;\n"
                     "redux.sync.add.u32 %r5, 1, -1;\n"),
              Each(32u));
}

/// A kernel of places in a row. Each thread goes its own way forward through them; at each it adds up what those that
/// come there have, whom it names.
class WaysForward {
 public:
  static constexpr unsigned kPlaces = 12, kThreads = 32;

  explicit WaysForward(unsigned seed) : random_(seed) {
    for (unsigned place = 0; place < kPlaces; ++place)
      for (unsigned thread = 0; thread < kThreads; ++thread)
        next_[place][thread] = place + 1 + random_() % std::min(4u, kPlaces - place);
    for (unsigned thread = 0; thread < kThreads; ++thread)
      for (unsigned place = 0; place < kPlaces; place = next_[place][thread]) come_[place] |= 1u << thread;
  }

  std::string module() const {
    std::string next, come;
    for (unsigned place = 0; place < kPlaces; ++place) {
      come += fmt::format("{}{}", place == 0 ? "" : ", ", come_[place]);
      for (unsigned thread = 0; thread < kThreads; ++thread)
        next += fmt::format("{}{}", next.empty() ? "" : ", ", next_[place][thread]);
    }
    return fmt::format(".global .u32 next[{}] = {{{}}};\n.global .u32 come[{}] = {{{}}};\n", kPlaces * kThreads, next,
                       kPlaces, come);
  }
  std::string body() const {
    std::string text =
        "add.u32 %r5, %thread, 1;\nmov.u64 %d0, next;\nmad.wide.u32 %d0, %thread, 4, %d0;\nmov.u64 %d1, "
        "come;\n";
    for (unsigned place = 0; place < kPlaces; ++place) {
      text += fmt::format(
          "P{0}:\nld.global.u32 %r1, [%d1+{1}];\nredux.sync.add.u32 %r2, %r5, %r1;\n"
          "mad.lo.u32 %r5, %r5, 3, %r2;\nld.global.u32 %r3, [%d0+{2}];\n",
          place, place * 4, place * kThreads * 4);
      for (unsigned to = place + 2; to <= std::min(place + 4, kPlaces); ++to)
        text += fmt::format("setp.eq.u32 %p0, %r3, {0};\n@%p0 bra P{0};\n", to);
    }
    return text + fmt::format("P{}:\n", kPlaces);
  }
  std::vector<std::uint32_t> expected() const {
    std::vector<std::uint32_t> values(kThreads);
    for (unsigned thread = 0; thread < kThreads; ++thread) values[thread] = thread + 1;
    for (const std::uint32_t here : come_) {
      std::uint32_t sum = 0;
      for (unsigned thread = 0; thread < kThreads; ++thread) sum += here >> thread & 1 ? values[thread] : 0;
      for (unsigned thread = 0; thread < kThreads; ++thread)
        if (here >> thread & 1) values[thread] = values[thread] * 3 + sum;
    }
    return values;
  }

 private:
  std::minstd_rand random_;
  std::array<std::array<unsigned, kThreads>, kPlaces> next_{};
  std::array<std::uint32_t, kPlaces> come_{};
};

TEST_P(WarpMeetings, threads_that_go_their_own_ways_find_all_that_they_name) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const WaysForward ways(seed);
    EXPECT_EQ(result(ways.body(), ways.module()), ways.expected()) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, WarpMeetings,
                         ::testing::Combine(::testing::ValuesIn(gathering_mechanisms()), ::testing::Bool()));

}  // namespace warp_meetings_test
}  // namespace warpfork::gpu
