// The front end of a warp: the outcomes of a branch (SIMT-X 3.7), paths that meet and wait, and what a flush leaves.
#include "ooo/warp_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/ooo/driven_front.h"

namespace warpfork::ooo {
namespace warp_front_test {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Pcs = DrivenFront::Pcs;

/// 1000 and the branch at 1004; "else" from 1008 to the jump at 100c; "if" at 1010; 1014 and the end at 1018.
SpmdProgram if_and_else() {
  SpmdProgram program;
  program.alu(0, 1);
  x86::StaticInstruction& to_if = program.branch({});
  program.alu(1, 2);
  x86::StaticInstruction& to_join = program.jump(x86::BranchKind::Jump);
  to_if.target = program.here();
  program.alu(2, 3);
  to_join.target = program.here();
  program.alu(3, 0);
  program.end();
  return program;
}
const SpmdProgram kProgram = if_and_else();
const Pcs kIf{0x1000, 0x1004, 0x1010, 0x1014, 0x1018}, kElse{0x1000, 0x1004, 0x1008, 0x100c, 0x1014, 0x1018};

// A new predictor takes branches, and thinks that they diverge.

TEST(WarpFront, parts_where_threads_were_thought_to_part_and_meets_again) {
  DrivenFront front(kProgram, {kIf, kElse, kIf, kElse});
  EXPECT_EQ(front.fetch(3), 3u);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 divergent, 1010 0101");
  EXPECT_EQ(front.resolve(1), Flush::Nothing);
  EXPECT_EQ(front.fetch(4), 4u);
  EXPECT_EQ(front.in_flight(),
            "1000 1111, 1004 1111 divergent, 1010 0101, 1008 1010, 100c 1010, meet 1111, 1014 1111, 1018 1111");
  front.drain();
  EXPECT_TRUE(front.front().finished());
  EXPECT_EQ(front.front().counts().divergent_branches, 1u);
  EXPECT_EQ(front.front().counts().convergences, 1u);
  EXPECT_EQ(front.front().counts().branch_mispredictions, 0u);
}

TEST(WarpFront, flushes_nothing_where_threads_stay_together_against_the_prediction) {
  DrivenFront front(kProgram, {kIf, kIf, kIf, kIf});
  front.fetch(3);
  EXPECT_EQ(front.resolve(1), Flush::Nothing);
  front.fetch(2);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 divergent, 1010 1111, 1014 1111, 1018 1111");
  front.drain();
  EXPECT_EQ(front.front().counts().predicted_divergent, 1u);
  EXPECT_EQ(front.front().counts().divergent_branches, 0u);
}

// 3.7.2: the path that was fetched from has no threads; what was fetched is nullified, not flushed.
TEST(WarpFront, nullifies_the_path_that_nobody_took) {
  DrivenFront front(kProgram, {kElse, kElse, kElse, kElse});
  front.show_text(0x1010, 2);
  EXPECT_EQ(front.fetch(10), 5u);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 divergent, 1010 0000, 1014 0000, 1018 0000");
  EXPECT_EQ(front.resolve(1), Flush::Nothing);
  EXPECT_EQ(front.fetch(4), 4u);
  EXPECT_THAT(front.in_flight(), HasSubstr("1018 0000, 1008 1111, 100c 1111, 1014 1111, 1018 1111"));
  front.drain();
  EXPECT_TRUE(front.front().finished());
  EXPECT_EQ(front.front().counts().instructions, 6u);
  EXPECT_EQ(front.front().counts().thread_instructions, 24u);
  EXPECT_EQ(front.front().counts().branch_mispredictions, 1u);
}

TEST(WarpFront, goes_on_where_a_uniform_branch_was_predicted_rightly) {
  DrivenFront front(kProgram, {kIf, kIf, kIf, kIf});
  front.expect_uniform();
  front.fetch(3);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 branch, 1010 1111");
  EXPECT_EQ(front.resolve(1), Flush::Nothing);
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().branches, 1u);
  EXPECT_EQ(front.front().counts().predicted_divergent, 0u);
}

TEST(WarpFront, flushes_what_is_younger_than_a_branch_in_the_wrong_direction) {
  DrivenFront front(kProgram, {kElse, kElse, kElse, kElse});
  front.expect_uniform();
  front.show_text(0x1010, 2);
  front.fetch(4);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 branch, 1010 0000, 1014 0000");
  EXPECT_EQ(front.resolve(1), Flush::Younger);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 branch");
  front.fetch(2);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 branch, 1008 1111, 100c 1111");
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().branch_mispredictions, 1u);
  EXPECT_EQ(front.front().counts().missed_divergences, 0u);
}

TEST(WarpFront, fetches_a_branch_again_whose_divergence_was_missed) {
  DrivenFront front(kProgram, {kIf, kElse, kIf, kElse});
  front.expect_uniform();
  front.fetch(4);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 branch, 1010 0101, 1014 0101");
  EXPECT_EQ(front.resolve(1), Flush::WithBranch);
  EXPECT_EQ(front.in_flight(), "1000 1111");
  front.fetch(2);
  EXPECT_EQ(front.in_flight(), "1000 1111, 1004 1111 divergent, 1010 0101");
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().missed_divergences, 1u);
  EXPECT_EQ(front.front().counts().thread_instructions, 2u * (5 + 6));
}

TEST(WarpFront, learns_that_a_branch_diverges) {
  DrivenFront front(kProgram, {kIf, kElse, kIf, kElse});
  front.expect_uniform();
  EXPECT_TRUE(front.run());
  EXPECT_TRUE(front.predictors.divergence.divergent(0x1004));
  EXPECT_FALSE(front.predictors.divergence.divergent(0x1000));
}

TEST(WarpFront, finds_no_instructions_where_no_thread_ever_was) {
  DrivenFront front(kProgram, {kElse, kElse, kElse, kElse});
  front.expect_uniform();
  EXPECT_EQ(front.fetch(10), 2u);  // its wrong path ends where it begins
  EXPECT_EQ(front.resolve(1), Flush::Younger);
  EXPECT_TRUE(front.run());
}

TEST(WarpFront, waits_until_older_masks_are_known) {
  SpmdProgram program;  // two branches to the end, each of another thread
  for (int branch = 0; branch < 2; ++branch) program.branch({}).target = 0x100c;
  program.alu(0, 1);
  program.end();
  DrivenFront front(program, {{0x1000, 0x100c}, {0x1000, 0x1004, 0x100c}, {0x1000, 0x1004, 0x1008, 0x100c}});
  front.predictors.direction.update(front.predictors.direction.predict(0x1000, {}), false);
  front.predictors.direction.update(front.predictors.direction.predict(0x1000, {}), false);
  front.fetch(2);
  EXPECT_EQ(front.in_flight(), "1000 0111 divergent, 1004 0110 divergent");
  EXPECT_TRUE(front.front().resolution().may_resolve(0));
  EXPECT_FALSE(front.front().resolution().may_resolve(1));
  front.resolve(0);
  EXPECT_TRUE(front.front().resolution().may_resolve(1));
  EXPECT_TRUE(front.run());
}

// Thread t goes round t + 1 times; whoever leaves waits behind the loop, as its address is higher.
TEST(WarpFront, gathers_the_threads_that_leave_a_loop_at_different_turns) {
  SpmdProgram program;
  program.alu(0, 1);
  program.branch({}).target = 0x1000;
  program.alu(1, 2);
  program.end();
  std::vector<Pcs> threads(4);
  for (unsigned thread = 0; thread < 4; ++thread) {
    for (unsigned turn = 0; turn <= thread; ++turn) threads[thread].insert(threads[thread].end(), {0x1000, 0x1004});
    threads[thread].insert(threads[thread].end(), {0x1008, 0x100c});
  }
  DrivenFront front(program, threads);
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().thread_instructions, 2u * (1 + 2 + 3 + 4) + 4 * 2);
  EXPECT_EQ(front.committed(),
            "1000 1111, 1004 1111 divergent, 1000 1110, 1004 1110 divergent, 1000 1100, 1004 1100 divergent, "
            "1000 1000, 1004 1000 divergent, meet 0011, meet 0111, meet 1111, 1008 1111, 100c 1111");
}

TEST(WarpFront, lets_threads_end_at_different_instructions) {
  DrivenFront front(kProgram, {{0x1000, 0x1004, 0x1010}, kElse, {0x1000}, {0x1000, 0x1004, 0x1008, 0x100c}});
  EXPECT_TRUE(front.run());
  EXPECT_THAT(front.gate.ended_threads(), UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_EQ(front.front().counts().thread_instructions, 3u + 6 + 1 + 4);
}

TEST(WarpFront, starts_threads_at_different_instructions) {
  DrivenFront front(kProgram, {{0x1000, 0x1004, 0x1010}, {0x1010, 0x1014}, {0x1000, 0x1004, 0x1010}});
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().thread_instructions, 3u + 2 + 3);
  EXPECT_THAT(front.committed(), HasSubstr("1000 0101, 1004 0101"));
}

TEST(WarpFront, is_finished_if_no_thread_has_instructions) {
  DrivenFront front(kProgram, {});
  EXPECT_TRUE(front.front().finished());
  EXPECT_EQ(front.fetch(10), 0u);
}

/// 1000 jumps to 1004, 1008 or 100c, all of which jump to 1010.
SpmdProgram switch_of_three() {
  SpmdProgram program;
  program.jump(x86::BranchKind::IndirectJump);
  for (int target = 0; target < 3; ++target) program.jump(x86::BranchKind::Jump).target = 0x1010;
  program.end();
  return program;
}

TEST(WarpFront, parts_at_an_indirect_jump_to_three_places) {
  const SpmdProgram program = switch_of_three();
  const auto to = [](std::uint64_t target) { return Pcs{0x1000, target, 0x1010}; };
  for (const bool uniform : {false, true}) {
    DrivenFront front(program, {to(0x1004), to(0x1008), to(0x100c), to(0x1008)});
    if (uniform) front.expect_uniform();
    EXPECT_TRUE(front.run());
    EXPECT_EQ(front.front().counts().thread_instructions, 12u);
    for (const char* const each : {"1004 0001", "1008 1010", "100c 0100", "1010 1111"})
      EXPECT_THAT(front.committed(), HasSubstr(each));
    EXPECT_EQ(front.front().counts().missed_divergences, uniform ? 1u : 0u);
  }
}

TEST(WarpFront, learns_where_an_indirect_jump_goes) {
  const SpmdProgram program = switch_of_three();
  const Pcs pcs{0x1000, 0x1008, 0x1010};
  DrivenFront first(program, {pcs, pcs});
  first.expect_uniform();
  EXPECT_EQ(first.fetch(5), 1u);  // the target is not known
  EXPECT_TRUE(first.run());
  EXPECT_EQ(first.predictors.targets.target(0x1000), 0x1008u);
}

TEST(WarpFront, returns_where_it_was_called_from) {
  SpmdProgram program;  // 1000 calls 1008, ends at 1004
  program.jump(x86::BranchKind::Call).target = 0x1008;
  program.end();
  program.jump(x86::BranchKind::Return);
  const Pcs pcs{0x1000, 0x1008, 0x1004};
  DrivenFront front(program, {pcs, pcs});
  front.expect_uniform();
  EXPECT_EQ(front.fetch(3), 3u);
  EXPECT_EQ(front.in_flight(), "1000 0011 branch, 1008 0011 branch, 1004 0011");
  EXPECT_EQ(front.resolve(1), Flush::Nothing);
}

TEST(WarpFront, lets_one_path_wait_at_an_event_while_another_goes_on) {
  DrivenFront front(kProgram, {kIf, kElse, kIf, kElse}, 0x1010);
  EXPECT_FALSE(front.run());                                              // the "if" is closed
  EXPECT_EQ(front.front().counts().thread_instructions, 4u * 2 + 2 * 4);  // the "else" is through
  EXPECT_THAT(front.gate.ended_threads(), UnorderedElementsAre(1, 3));
  front.gate.open(0), front.gate.open(2);
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.front().counts().thread_instructions, 2u * (5 + 6));
}

TEST(WarpFront, parts_threads_that_pass_an_event_from_those_that_wait) {
  DrivenFront front(kProgram, {kIf, kIf, kIf, kIf}, 0x1010);
  for (const unsigned thread : {0, 3}) front.gate.open(thread);
  EXPECT_FALSE(front.run());
  EXPECT_THAT(front.committed(), HasSubstr("part 1111, 1010 1001, 1014 1001, 1018 1001"));
  for (const unsigned thread : {1, 2}) front.gate.open(thread);
  EXPECT_TRUE(front.run());
  EXPECT_THAT(front.committed(), HasSubstr("1018 1001, 1010 0110, 1014 0110"));
}

// Whoever asks has committed all that comes before.
TEST(WarpFront, asks_for_an_event_when_all_before_it_has_committed) {
  DrivenFront front(kProgram, {kIf, kIf}, 0x1004);
  for (const unsigned thread : {0, 1}) front.gate.open(thread);
  EXPECT_EQ(front.fetch(5), 1u);
  front.drain();
  EXPECT_EQ(front.fetch(1), 1u);
}

// Other warps may wait for it. 64 instructions of the path that goes on, the "if", fill the buffer.
TEST(WarpFront, passes_an_event_though_its_buffer_is_full) {
  SpmdProgram program;
  x86::StaticInstruction& to_if = program.branch({});
  program.alu(0, 1);
  program.end();
  to_if.target = program.here();
  Pcs goes_on{0x1000};
  for (unsigned i = 0; i < 80; ++i) {
    goes_on.push_back(program.here());
    program.alu(0, 1);
  }
  DrivenFront front(program, {goes_on, {0x1000, 0x1004, 0x1008}}, 0x1004);
  front.fetch(1);
  front.drain();
  EXPECT_EQ(front.fetch(80), 64u);
  EXPECT_EQ(front.front().events(), 0u);
  front.gate.open(1);
  EXPECT_EQ(front.fetch(1), 0u);
  EXPECT_EQ(front.front().events(), 1u);
}

TEST(WarpFront, holds_the_addresses_of_the_lanes_that_are_there) {
  SpmdProgram program;
  program.load(0, 1);
  program.store(0, 1);
  program.end();
  const Pcs pcs{0x1000, 0x1004, 0x1008};
  DrivenFront front(program, {pcs, {}, pcs});
  front.fetch(3);
  const AddressQueue& addresses = front.front().in_flight().addresses();
  const std::uint64_t second = addresses.behind(front.front().in_flight()[0].addresses);
  EXPECT_EQ(addresses[0], 0b101u);
  EXPECT_EQ(addresses[second], 0b101u);
  EXPECT_EQ(front.front().in_flight()[1].addresses, second);
  front.drain();
  EXPECT_TRUE(addresses.empty());
}

TEST(WarpFront, undo_leaves_nothing_of_what_was_fetched) {
  for (const auto& threads : {std::vector<Pcs>{kIf, kElse, kIf, kElse}, std::vector<Pcs>{kElse, kElse, kElse, kElse}})
    for (const bool uniform : {false, true})
      for (unsigned cycles = 0; cycles < 12; ++cycles) {
        DrivenFront front(kProgram, threads);
        front.show_text(0x1010, 2);
        if (uniform) front.expect_uniform();
        front.front();
        const std::string before = front.front().describe();
        front.fetch(std::min(cycles, 3u));
        if (cycles > 3 && !uniform) front.resolve(1);
        front.fetch(std::max(cycles, 3u) - 3);
        front.undo_all();
        std::string after = front.front().describe();
        EXPECT_TRUE(front.front().in_flight().addresses().empty());
        EXPECT_EQ(front.front().paths().used(), 1u) << after;
        EXPECT_EQ(after, before) << "after " << cycles << " cycles";
        EXPECT_TRUE(front.run());
      }
}

/// A region's function, which the thread calls so many times; behind them 1008 and the end.
std::vector<SpmdProgram::Step> calls_of_a_region(const SpmdProgram& program, unsigned calls) {
  Pcs pcs;
  for (; calls != 0; --calls) pcs.insert(pcs.end(), {0x1000, 0x1004});
  pcs.insert(pcs.end(), {0x1008, 0x100c});
  std::vector<SpmdProgram::Step> steps = program.follow(pcs);
  for (SpmdProgram::Step& step : steps) step.before_gap = step.instruction->branch == x86::BranchKind::Return;
  return steps;
}

// Returns outnumber calls there, by another number in each thread.
TEST(WarpFront, lets_threads_meet_that_have_come_through_different_numbers_of_gaps) {
  SpmdProgram program;
  program.alu(0, 1);
  program.jump(x86::BranchKind::Return);
  program.alu(1, 2);
  program.end();
  const auto once = calls_of_a_region(program, 1), thrice = calls_of_a_region(program, 3);
  DrivenFront front({once, thrice, once, thrice});
  EXPECT_TRUE(front.run());
  EXPECT_EQ(front.committed(),
            "1000 1111, 1004 1111 divergent, 1000 1010, 1004 1010 branch, 1000 1010, 1004 1010 branch, meet 1111, "
            "1008 1111, 100c 1111");
  EXPECT_EQ(front.front().counts().branches, 0u);
  EXPECT_EQ(front.front().counts().branch_mispredictions, 0u);
}

/// Of so many instructions of so many µops each, those that a buffer of 64 µops holds.
unsigned buffered(unsigned instructions, unsigned uops) {
  SpmdProgram program;
  Pcs all;
  for (unsigned i = 0; i < instructions; ++i) {
    all.push_back(program.here());
    program.add(std::vector<x86::Uop>(uops));
  }
  DrivenFront front(program, {all, all, all, all});
  return front.fetch(instructions);
}

TEST(WarpFront, buffers_as_many_uops_as_it_has_entries) {
  EXPECT_EQ(buffered(64, 1), 64u);
  EXPECT_EQ(buffered(65, 1), 64u);
  EXPECT_EQ(buffered(40, 2), 32u);
  EXPECT_EQ(buffered(40, 3), 21u);  // the 22nd would need a 65th and a 66th
}

TEST(WarpFront, buffers_an_instruction_of_more_uops_than_it_has_entries_alone) {
  EXPECT_EQ(buffered(2, 64), 1u);
  EXPECT_EQ(buffered(2, 65), 1u);
}

TEST(WarpFront, describes_its_paths_and_where_each_thread_is) {
  DrivenFront front(kProgram, {kIf, {}, kElse});
  EXPECT_THAT(front.front().describe(), HasSubstr("thread 0: 0 instructions done, next at 1000\n"
                                                  "thread 2: 0 instructions done, next at 1000\n"));
  front.fetch(1);
  front.drain();
  EXPECT_THAT(front.front().describe(), HasSubstr("thread 2: 1 instruction done, next at 1004\n"));
}

}  // namespace warp_front_test
}  // namespace warpfork::ooo
