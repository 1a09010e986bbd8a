#include "gpu/scoreboard.h"

#include <gtest/gtest.h>

#include "registers.h"

namespace warpfork::gpu {
namespace scoreboard_test {

using Hazard = Scoreboard::Hazard;

const ActiveMask kAll = ActiveMask::first(32), kEven(0x55555555), kOdd(0xaaaaaaaa);
const simt::Instruction kWrites1 = with_registers({1}, {}), kReads1 = with_registers({2}, {1});

TEST(Scoreboard, a_reader_waits_for_the_write_of_its_source) {
  Scoreboard scoreboard(1, 8);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kAll), Hazard::None);
  scoreboard.reserve(0, kWrites1, kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kAll), Hazard::Register);
  scoreboard.release(0, kWrites1, kAll);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kAll), Hazard::None);
}

TEST(Scoreboard, a_second_writer_waits_for_the_first) {
  Scoreboard scoreboard(1, 8);
  scoreboard.reserve(0, kWrites1, kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, kWrites1, kAll), Hazard::Register);
}

TEST(Scoreboard, finds_a_hazard_by_bits_unless_lanes_are_told_apart) {
  const simt::Instruction load = with_registers({5}, {}), reads5 = with_registers({}, {5}),
                          other = with_registers({4}, {3});
  Scoreboard scoreboard(1, 2, false), of_lanes(1, 2, true);
  const auto at = [](const Scoreboard& of, const simt::Instruction& instruction) {
    return of.hazard_at_once(0, instruction, Scoreboard::touched(instruction));
  };
  for (Scoreboard* one : {&scoreboard, &of_lanes}) one->reserve(0, kWrites1, kEven, false);
  EXPECT_EQ(at(scoreboard, kReads1), Hazard::Register);
  EXPECT_EQ(at(of_lanes, kReads1), std::nullopt);
  EXPECT_EQ(at(of_lanes, other), Hazard::None);
  scoreboard.reserve(0, load, kAll, true);
  EXPECT_EQ(at(scoreboard, reads5), Hazard::Memory);
  EXPECT_EQ(at(scoreboard, other), Hazard::Full);  // no room for its destination
  scoreboard.release(0, load, kAll);
  EXPECT_EQ(at(scoreboard, reads5), Hazard::None);
}

TEST(Scoreboard, signs_say_what_is_pending_and_that_there_is_no_room) {
  const simt::Instruction load = with_registers({5}, {}), reads5 = with_registers({}, {5});
  Scoreboard scoreboard(1, 2);
  const auto signs = [&](const simt::Instruction& of) {
    return scoreboard.signs(0, Scoreboard::touched(of), Scoreboard::room_beside(2, of.destination_count));
  };
  const simt::Instruction other = with_registers({4}, {3}), three = with_registers({6, 7, 8}, {});
  EXPECT_EQ(signs(three), 0u);  // more than there is room for may issue alone
  scoreboard.reserve(0, kWrites1, kEven, false);
  EXPECT_EQ(signs(kReads1), Scoreboard::kPending);
  EXPECT_EQ(signs(other), 0u);
  EXPECT_EQ(signs(three), Scoreboard::kFull);
  scoreboard.reserve(0, load, kAll, true);
  EXPECT_EQ(signs(reads5), Scoreboard::kPending | Scoreboard::kPendingByMemory);
  EXPECT_EQ(signs(other), Scoreboard::kFull);
}

TEST(Scoreboard, with_more_registers_than_a_word_has_bits_none_is_taken_for_another) {
  const simt::Instruction writes65 = with_registers({65}, {}), reads65 = with_registers({}, {65});
  Scoreboard scoreboard(1, 8, false);
  scoreboard.begin_kernel(false);
  scoreboard.reserve(0, kWrites1, kAll, true);
  EXPECT_EQ(scoreboard.hazard_at_once(0, reads65, Scoreboard::touched(reads65)), std::nullopt);
  EXPECT_EQ(scoreboard.hazard(0, reads65, kAll), Hazard::None);
  scoreboard.reserve(0, writes65, kAll, false);
  scoreboard.release(0, kWrites1, kAll);
  EXPECT_EQ(scoreboard.hazard(0, reads65, kAll), Hazard::Register);
}

TEST(Scoreboard, a_write_after_a_read_is_no_hazard) {
  Scoreboard scoreboard(1, 8);
  scoreboard.reserve(0, kReads1, kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, kWrites1, kAll), Hazard::None);
}

TEST(Scoreboard, a_guarded_instruction_waits_for_its_guard) {
  Scoreboard scoreboard(1, 8);
  simt::Instruction guarded = with_registers({}, {});
  guarded.guard_register = 1;
  scoreboard.reserve(0, kWrites1, kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, guarded, kAll), Hazard::Register);
}

TEST(Scoreboard, lanes_of_another_split_do_not_wait) {
  Scoreboard scoreboard(1, 8);
  scoreboard.reserve(0, kWrites1, kEven, false);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kOdd), Hazard::None);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kAll), Hazard::Register);
}

TEST(Scoreboard, without_lane_masks_all_lanes_wait_for_a_write_of_any) {
  Scoreboard scoreboard(2, 8, false);
  scoreboard.reserve(0, kWrites1, kEven, false);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kOdd), Hazard::Register);
  EXPECT_EQ(scoreboard.hazard(0, kWrites1, kOdd), Hazard::Register);
  EXPECT_EQ(scoreboard.hazard(1, kReads1, kOdd), Hazard::None);
  scoreboard.release(0, kWrites1, kEven);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kOdd), Hazard::None);
}

TEST(Scoreboard, two_splits_write_one_register_and_each_release_frees_its_own_lanes) {
  Scoreboard scoreboard(1, 8);
  scoreboard.reserve(0, kWrites1, kEven, false);
  scoreboard.reserve(0, kWrites1, kOdd, false);
  scoreboard.release(0, kWrites1, kEven);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kEven), Hazard::None);
  EXPECT_EQ(scoreboard.hazard(0, kReads1, kOdd), Hazard::Register);
  EXPECT_TRUE(scoreboard.pending(0));
  scoreboard.release(0, kWrites1, kOdd);
  EXPECT_FALSE(scoreboard.pending(0));
}

TEST(Scoreboard, warps_do_not_see_each_others_registers) {
  Scoreboard scoreboard(2, 8);
  scoreboard.reserve(0, kWrites1, kAll, false);
  EXPECT_EQ(scoreboard.hazard(1, kReads1, kAll), Hazard::None);
}

TEST(Scoreboard, only_registers_below_64_have_bits_of_their_own) {
  simt::Instruction instruction = with_registers({0}, {63});
  EXPECT_TRUE(Scoreboard::has_bits_of_its_own(instruction));
  EXPECT_FALSE(Scoreboard::has_bits_of_its_own(with_registers({64}, {0})));
  EXPECT_FALSE(Scoreboard::has_bits_of_its_own(with_registers({0}, {64})));
  instruction.guard_register = 64;
  EXPECT_FALSE(Scoreboard::has_bits_of_its_own(instruction));
}

TEST(Scoreboard, a_load_to_blame_is_named_even_beside_an_arithmetic_instruction) {
  Scoreboard scoreboard(1, 8);
  scoreboard.reserve(0, with_registers({1}, {}), kAll, false);
  scoreboard.reserve(0, with_registers({2}, {}), kAll, true);
  EXPECT_EQ(scoreboard.hazard(0, with_registers({3}, {1, 2}), kAll), Hazard::Memory);
  EXPECT_EQ(scoreboard.hazard(0, with_registers({3}, {2, 1}), kAll), Hazard::Memory);
  EXPECT_EQ(scoreboard.hazard(0, with_registers({3}, {1}), kAll), Hazard::Register);
}

TEST(Scoreboard, registers_that_share_a_signature_bit_are_told_apart) {
  Scoreboard scoreboard(1, 8);
  const simt::Instruction reads65 = with_registers({}, {65});
  scoreboard.begin_kernel(false);
  scoreboard.reserve(0, with_registers({1}, {}), kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, reads65, kAll), Hazard::None);
}

TEST(Scoreboard, a_ninth_register_waits_where_there_are_eight_entries) {
  Scoreboard scoreboard(1, 8);
  for (std::uint16_t reg = 0; reg < 7; ++reg) scoreboard.reserve(0, with_registers({reg}, {}), kAll, false);
  const simt::Instruction eighth = with_registers({7}, {}), ninth = with_registers({8}, {});
  EXPECT_EQ(scoreboard.hazard(0, eighth, kAll), Hazard::None);
  scoreboard.reserve(0, eighth, kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, ninth, kAll), Hazard::Full);
  EXPECT_EQ(scoreboard.hazard(0, with_registers({}, {8}), kAll), Hazard::None);
  scoreboard.release(0, with_registers({3}, {}), kAll);
  EXPECT_EQ(scoreboard.hazard(0, ninth, kAll), Hazard::None);
}

TEST(Scoreboard, other_lanes_of_a_pending_register_need_no_new_entry) {
  Scoreboard scoreboard(1, 1);
  scoreboard.reserve(0, kWrites1, kEven, false);
  EXPECT_EQ(scoreboard.hazard(0, kWrites1, kOdd), Hazard::None);
}

TEST(Scoreboard, an_instruction_with_more_results_than_entries_issues_alone) {
  Scoreboard scoreboard(1, 2);
  const simt::Instruction vector_load = with_registers({1, 2, 3, 4}, {});
  EXPECT_EQ(scoreboard.hazard(0, vector_load, kAll), Hazard::None);
  scoreboard.reserve(0, with_registers({9}, {}), kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, vector_load, kAll), Hazard::Full);
}

TEST(Scoreboard, no_limit_is_written_as_zero) {
  Scoreboard scoreboard(1, 0);
  for (std::uint16_t reg = 0; reg < 63; ++reg) scoreboard.reserve(0, with_registers({reg}, {}), kAll, false);
  EXPECT_EQ(scoreboard.hazard(0, with_registers({63}, {}), kAll), Hazard::None);
}

TEST(Scoreboard, lanes_in_several_warps_wait_for_the_worst_of_them) {
  Scoreboard scoreboard(5, 8);
  const HomeLanes homes[] = {{1, kEven}, {2, kOdd}};
  scoreboard.reserve(1 + 1, kWrites1, kOdd, true);  // lanes that are not of these homes
  scoreboard.reserve(1 + 2, kWrites1, kEven, true);
  EXPECT_EQ(scoreboard.hazard(1, kReads1, Scoreboard::touched(kReads1), homes), Hazard::None);
  scoreboard.reserve(1 + 1, kWrites1, kEven, false);
  EXPECT_EQ(scoreboard.hazard(1, kReads1, Scoreboard::touched(kReads1), homes),
            Hazard::Memory);  // the entry of register 1 is a load's already
  scoreboard.release(1 + 1, kWrites1, kAll);
  scoreboard.reserve(1 + 2, kWrites1, kOdd, false);
  EXPECT_EQ(scoreboard.hazard(1, kReads1, Scoreboard::touched(kReads1), homes), Hazard::Memory);
  EXPECT_EQ(scoreboard.hazard(2, kReads1, Scoreboard::touched(kReads1), homes),
            Hazard::Memory);  // home 1 is warp 3 then
  EXPECT_EQ(scoreboard.hazard(0, kReads1, Scoreboard::touched(kReads1), homes), Hazard::None);
}

TEST(Scoreboard, lanes_in_several_warps_need_room_in_each) {
  Scoreboard scoreboard(2, 1);
  const HomeLanes homes[] = {{0, kEven}, {1, kOdd}};
  const simt::Instruction writes2 = with_registers({2}, {});
  EXPECT_EQ(scoreboard.hazard(0, writes2, Scoreboard::touched(writes2), homes), Hazard::None);
  scoreboard.reserve(1, kWrites1, kEven, false);
  EXPECT_EQ(scoreboard.hazard(0, writes2, Scoreboard::touched(writes2), homes), Hazard::Full);
  scoreboard.reserve(0, writes2, kEven, false);
  EXPECT_EQ(scoreboard.hazard(0, writes2, Scoreboard::touched(writes2), homes),
            Hazard::Register);  // as in one warp: data come before room
}

TEST(Scoreboard, may_be_full_counts_an_entry_for_each_destination) {
  Scoreboard scoreboard(1, 2), unlimited(1, 0);
  for (Scoreboard* one : {&scoreboard, &unlimited}) one->reserve(0, kWrites1, kAll, false);
  EXPECT_FALSE(scoreboard.may_be_full(0, 1));
  EXPECT_TRUE(scoreboard.may_be_full(0, 2));
  EXPECT_FALSE(unlimited.may_be_full(0, 8));
}

TEST(Scoreboard, an_instruction_depends_on_the_writer_of_its_sources_destinations_and_guard) {
  simt::Instruction guarded = with_registers({}, {});
  guarded.guard_register = 1;
  const auto depends = [](const simt::Instruction& instruction, const simt::Instruction& writer) {
    return (Scoreboard::touched(instruction) & Scoreboard::written(writer)) != 0;
  };
  EXPECT_TRUE(depends(kReads1, kWrites1));
  EXPECT_TRUE(depends(kWrites1, kWrites1));
  EXPECT_TRUE(depends(guarded, kWrites1));
  EXPECT_FALSE(depends(kWrites1, kReads1));  // that writes register 2
}

}  // namespace scoreboard_test
}  // namespace warpfork::gpu
