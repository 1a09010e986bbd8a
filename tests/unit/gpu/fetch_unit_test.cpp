// One entry a cycle, 16 bytes of 8-byte instructions, fewer at the end of a 128-byte line (gtx480.md, "Front end").
#include "gpu/fetch_unit.h"

#include <gtest/gtest.h>

#include "gtx480_spec.h"

namespace warpfork::gpu {
namespace fetch_unit_test {

class FetchUnitTest : public ::testing::Test {
 protected:
  /// One cycle of the front end; what it fetched.
  std::optional<FetchUnit::Fetched> cycle(EntrySet wanting) {
    if (memory_.next_event() <= now_) memory_.advance(now_);
    if (const MemoryRequest* response = memory_.response(0)) {
      unit_.fill(*response, now_);
      memory_.pop_response(0);
    }
    unit_.cycle(buffers_, wanting, now_++);
    return unit_.take();
  }
  FetchUnit::Fetched wait_for(unsigned entry) {
    for (unsigned i = 0; i < 2000; ++i)
      if (const auto fetched = cycle(EntrySet::single(entry))) return *fetched;
    ADD_FAILURE() << "nothing fetched";
    return {};
  }
  /// Brings the line with instructions 0 to 15 into the cache.
  void warm() { wait_for(0); }

  MachineSpec spec_ = one_core();
  memory::MemorySystem memory_{spec_.memory, 1};
  InstructionBuffers buffers_{128};
  FetchUnit unit_{spec_.core, 0, memory_};
  Cycle now_ = 1;
};

TEST_F(FetchUnitTest, a_miss_waits_for_its_line_and_then_brings_two_instructions) {
  EXPECT_FALSE(cycle(EntrySet(1)));
  EXPECT_TRUE(unit_.busy(EntrySet(1)));  // the request waits to be sent
  const FetchUnit::Fetched fetched = wait_for(0);
  EXPECT_GT(now_, 200u);  // two fixed delays, 120 and 100 cycles, and the DRAM
  EXPECT_EQ(fetched.entry, 0u);
  EXPECT_EQ(fetched.pc, 0u);
  EXPECT_EQ(fetched.count, 2u);
}

TEST_F(FetchUnitTest, a_hit_fetches_in_the_same_cycle) {
  warm();
  buffers_[0].fetch_pc = 6;
  const auto fetched = cycle(EntrySet(1));
  ASSERT_TRUE(fetched);
  EXPECT_EQ(fetched->pc, 6u);
  EXPECT_EQ(fetched->count, 2u);
}

TEST_F(FetchUnitTest, the_last_instruction_of_a_line_comes_alone) {
  warm();
  buffers_[0].fetch_pc = 14;
  EXPECT_EQ(cycle(EntrySet(1))->count, 2u);
  buffers_[0].fetch_pc = 15;
  EXPECT_EQ(cycle(EntrySet(1))->count, 1u);
}

TEST_F(FetchUnitTest, entries_are_served_in_turn) {
  warm();
  std::string order;
  for (unsigned i = 0; i < 5; ++i) order += std::to_string(cycle(EntrySet(0b1011))->entry);
  EXPECT_EQ(order, "13013");  // 0 was served last
}

TEST_F(FetchUnitTest, entries_are_served_in_turn_up_to_the_last) {
  warm();
  const EntrySet wanting = EntrySet::single(2) | EntrySet::single(63) | EntrySet::single(64) | EntrySet::single(127);
  std::vector<unsigned> order;
  for (unsigned i = 0; i < 5; ++i) order.push_back(cycle(wanting)->entry);
  EXPECT_EQ(order, (std::vector{2u, 63u, 64u, 127u, 2u}));
}

TEST_F(FetchUnitTest, an_entry_that_waits_for_a_miss_does_not_hold_up_the_others) {
  warm();
  buffers_[1].fetch_pc = 100;
  EXPECT_FALSE(cycle(EntrySet(0b0010)));
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(cycle(EntrySet(0b0011))->entry, 0u);
}

TEST_F(FetchUnitTest, an_entry_that_waits_for_a_miss_asks_once_and_lets_the_core_sleep) {
  cycle(EntrySet(1));
  cycle(EntrySet(1));
  EXPECT_FALSE(unit_.busy(EntrySet(1)));
  cycle(EntrySet(1));
  EXPECT_EQ(unit_.statistics().accesses, 1u);
  EXPECT_EQ(unit_.statistics().misses, 1u);
}

TEST_F(FetchUnitTest, two_entries_at_one_missing_line_share_its_request) {
  cycle(EntrySet(0b11));
  cycle(EntrySet(0b11));
  EXPECT_EQ(unit_.statistics().misses, 1u);
  EXPECT_EQ(unit_.statistics().hit_pending, 1u);
  std::string order;
  for (unsigned i = 0; i < 2000 && order.size() < 2; ++i)
    if (const auto fetched = cycle(EntrySet(0b11))) order += std::to_string(fetched->entry);
  EXPECT_EQ(order, "01");
}

TEST_F(FetchUnitTest, a_line_that_nobody_wants_any_more_is_kept_but_not_delivered) {
  cycle(EntrySet(1));
  for (unsigned i = 0; i < 2000; ++i) EXPECT_FALSE(cycle({}));
  EXPECT_TRUE(cycle(EntrySet(1)));
}

TEST_F(FetchUnitTest, a_line_that_comes_late_is_not_delivered_to_who_has_the_entry_by_then) {
  cycle(EntrySet(1));
  buffers_[0].fetch_pc = 100;  // 800 bytes further on
  EXPECT_EQ(wait_for(0).pc, 100u);
  EXPECT_EQ(unit_.statistics().misses, 2u);
}

TEST_F(FetchUnitTest, a_kernel_does_not_find_another_ones_lines_but_its_own_again) {
  warm();
  unit_.begin_kernel(simt::kCode.begin + 128);
  EXPECT_FALSE(cycle(EntrySet(1)));
  wait_for(0);
  EXPECT_TRUE(cycle(EntrySet(1)));
  unit_.begin_kernel(simt::kCode.begin);
  EXPECT_TRUE(cycle(EntrySet(1)));
  EXPECT_EQ(unit_.statistics().misses, 2u);
}

TEST_F(FetchUnitTest, a_kernel_that_begins_with_the_last_instruction_of_a_line_fetches_it_alone) {
  unit_.begin_kernel(simt::kCode.begin + 15 * 8);
  EXPECT_EQ(wait_for(0).count, 1u);
  buffers_[0].fetch_pc = 1;
  EXPECT_EQ(wait_for(0).count, 2u);
}

TEST_F(FetchUnitTest, the_next_launch_does_not_see_what_the_last_one_fetched) {
  warm();
  unit_.cycle(buffers_, EntrySet(1), now_);
  unit_.end_kernel();
  EXPECT_FALSE(unit_.take());
}

}  // namespace fetch_unit_test
}  // namespace warpfork::gpu
