// Caches, TLBs and memory of a CPU core with the numbers of SIMT-X Table I: L1 32 KB in 2 cycles, L2 4 MB in 15, memory
// in 215 at 2 GB/s, which at 2 GHz is a byte a cycle: 64 cycles for a line. A page walk takes 30 cycles.
#include "ooo/data_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace warpfork::ooo {
namespace data_memory_test {

constexpr std::uint64_t kLine = 64, kPage = 4096;
constexpr std::uint64_t kL1Stride = 32 * 1024 / 16;              // addresses so far apart share a set of 16 ways
constexpr std::uint64_t kL2Stride = 4096 * 1024 / 16;            // likewise; they share the L1's, too
constexpr std::uint64_t kStackStride = 8 * 1024 * 1024 + kPage;  // of pthreads' stacks: 8 MB and a guard page

class DataMemoryTest : public ::testing::Test {
 protected:
  DataMemory::Answer access(const std::vector<std::uint64_t>& addresses, LaneMask lanes, Cycle now, bool store = false,
                            unsigned bytes = 8) {
    return memory_.access(addresses, lanes, bytes, store, now);
  }
  Cycle load(std::uint64_t address, Cycle now) { return access({address}, 1, now).ready; }
  Cycle store(std::uint64_t address, Cycle now) { return access({address}, 1, now, true).ready; }
  /// So that lane 0 knows the pages, by lines that the tests do not use: sets 31 of the L1.
  void know_pages(unsigned count) {
    for (unsigned page = 0; page < count; ++page) load(page * kPage + 31 * kLine, 0);
  }
  const DataMemoryCounts& counts() const { return memory_.counts(); }

  DataMemory memory_{DataMemorySpec{}, 4};
};

TEST_F(DataMemoryTest, takes_from_each_level_as_long_as_the_table_says) {
  EXPECT_EQ(load(0, 0), 30u + 215);
  EXPECT_EQ(load(0, 1000), 1002u);
  EXPECT_EQ(load(kLine, 2000), 2215u);  // the page is known
  for (unsigned i = 1; i <= 16; ++i) load(i * kL1Stride, 10000 * i);
  EXPECT_EQ(load(0, 900000), 900015u);  // sixteen others have its place in the L1
  EXPECT_EQ(load(0, 900100), 900102u);
  EXPECT_EQ(counts().l2_misses, 18u);
  EXPECT_EQ(counts().l1_misses, 19u);
  EXPECT_EQ(counts().l2_accesses, 19u);
}

TEST_F(DataMemoryTest, keeps_the_line_that_was_used_last) {
  for (unsigned i = 0; i < 16; ++i) load(i * kL1Stride, 10000 * i);
  load(0, 200000);
  load(16 * kL1Stride, 210000);
  EXPECT_EQ(load(0, 220000), 220002u);
  EXPECT_EQ(load(kL1Stride, 230000), 230015u);
}

TEST_F(DataMemoryTest, lets_lines_wait_for_bandwidth) {
  know_pages(1);
  EXPECT_EQ(load(0, 1000), 1215u);
  EXPECT_EQ(load(kLine, 1001), 1000u + 64 + 215);
  EXPECT_EQ(load(2 * kLine, 1127), 1128u + 215);  // a cycle too early
  EXPECT_EQ(load(3 * kLine, 1192), 1192u + 215);  // just in time
  EXPECT_EQ(load(4 * kLine, 1257), 1257u + 215);  // memory was idle for a cycle
}

/// When the third of three lines comes that are asked for in cycle 1000: 64 cycles after the second.
Cycle third_line(unsigned mshrs) {
  DataMemorySpec spec;
  spec.mshrs = mshrs;
  DataMemory memory(spec, 1);
  const auto load = [&](std::uint64_t address, Cycle now) {
    return memory.access(std::array{address}, 1, 8, false, now).ready;
  };
  load(31 * kLine, 0);
  load(0, 1000);
  load(8, 1000);  // on its way: takes no MSHR
  load(kLine, 1000);
  return load(2 * kLine, 1000);
}

TEST(DataMemory, lets_a_line_wait_for_an_mshr) {
  EXPECT_EQ(third_line(0), 1000u + 2 * 64 + 215);
  EXPECT_EQ(third_line(3), 1000u + 2 * 64 + 215);
  EXPECT_EQ(third_line(2), 1215u + 215);  // when the first has come
  EXPECT_EQ(third_line(1), 1000u + 3 * 215);
}

TEST_F(DataMemoryTest, asks_once_for_lanes_with_the_same_line) {
  access({0, 8, 16, 56}, 0xf, 0);
  EXPECT_EQ(counts().accesses, 4u);
  EXPECT_EQ(counts().requests, 1u);
  const DataMemory::Answer again = access({56, 0, 0, 24}, 0xf, 1000);
  EXPECT_EQ(again.ready, 1002u);
  EXPECT_EQ(again.slots, 1u);
  EXPECT_EQ(counts().bank_conflicts, 0u);
}

// Lines 0 to 3 are in banks 0 to 3, line 4 in bank 0 again.
TEST_F(DataMemoryTest, serves_lines_of_one_bank_one_after_the_other) {
  for (const std::uint64_t line : {0, 1, 2, 3, 4, 5}) {
    const std::uint64_t address = line * kLine;
    access({address, address, address, address}, 0xf, 1000 * line);
  }
  const DataMemory::Answer apart = access({0, kLine, 3 * kLine}, 0x7, 10000);
  EXPECT_EQ(apart.slots, 1u);
  EXPECT_EQ(apart.ready, 10002u);
  EXPECT_EQ(counts().bank_conflicts, 0u);
  const DataMemory::Answer together = access({0, 4 * kLine, kLine}, 0x7, 11000);
  EXPECT_EQ(together.slots, 2u);
  EXPECT_EQ(together.ready, 11003u);
  EXPECT_EQ(counts().bank_conflicts, 1u);
  EXPECT_EQ(access({0, 4 * kLine, kLine, 5 * kLine}, 0xf, 12000).slots, 2u);  // two banks at the same time
  EXPECT_EQ(counts().bank_conflicts, 2u);
}

TEST_F(DataMemoryTest, serves_the_stacks_of_four_threads_at_once) {
  const auto stacks = [](std::uint64_t stride) { return std::vector{0 * stride, stride, 2 * stride, 3 * stride}; };
  EXPECT_EQ(access(stacks(kStackStride), 0xf, 0).slots, 1u);
  EXPECT_EQ(access(stacks(kPage), 0xf, 10000).slots, 1u);
}

TEST_F(DataMemoryTest, asks_for_both_lines_of_an_access_across_their_border) {
  access({56}, 1, 0);
  EXPECT_EQ(counts().requests, 1u);
  access({57}, 1, 1000);
  EXPECT_EQ(counts().requests, 3u);
  access({32}, 1, 2000, false, 32);
  EXPECT_EQ(counts().requests, 4u);
  EXPECT_EQ(access({33}, 1, 3000, false, 32).ready, 3002u);  // two banks
  EXPECT_EQ(counts().requests, 6u);
}

TEST_F(DataMemoryTest, asks_for_both_pages_of_an_access_across_their_border) {
  access({kPage - 8}, 1, 0);
  EXPECT_EQ(counts().tlb_misses, 1u);
  access({kPage - 4}, 1, 1000);
  EXPECT_EQ(counts().tlb_misses, 2u);
  access({kPage}, 1, 2000);
  EXPECT_EQ(counts().tlb_misses, 2u);
}

TEST_F(DataMemoryTest, has_a_tlb_for_each_lane) {
  load(0, 0);
  EXPECT_EQ(counts().tlb_misses, 1u);
  EXPECT_EQ(access({8}, 1u << 1, 1000).ready, 1000u + 30 + 2);
  EXPECT_EQ(access({8}, 1u << 1, 2000).ready, 2002u);
  EXPECT_EQ(access({8, 8}, 1u << 1 | 1u << 3, 3000).ready, 3000u + 30 + 2);  // lane 3 makes both wait
  EXPECT_EQ(counts().tlb_misses, 3u);
}

// 64 entries of four ways: sixteen sets.
TEST_F(DataMemoryTest, forgets_a_page_for_four_of_its_set) {
  for (unsigned i = 0; i < 4; ++i) load(i * 16 * kPage, 10000 * i);
  EXPECT_EQ(load(0, 50000), 50002u);
  for (unsigned i = 4; i < 8; ++i) load(i * 16 * kPage, 100000 + 10000 * i);
  EXPECT_EQ(load(0, 500000), 500032u);
}

TEST_F(DataMemoryTest, asks_once_for_a_line_on_its_way) {
  know_pages(1);
  const std::uint64_t before = counts().l2_accesses;
  EXPECT_EQ(load(0, 10000), 10215u);
  EXPECT_EQ(load(8, 10001), 10215u);
  EXPECT_EQ(load(8, 10213), 10215u);
  EXPECT_EQ(load(8, 10214), 10216u);  // an L1 hit's two cycles
  EXPECT_EQ(counts().l2_accesses, before + 1);
}

TEST_F(DataMemoryTest, does_not_find_in_the_l2_what_has_not_come_from_memory) {
  know_pages(9);
  for (unsigned i = 0; i <= 16; ++i) load(i * kL1Stride, 10000 + i);  // the last takes the first's place in the L1
  EXPECT_EQ(load(0, 10020), 10215u);
  EXPECT_EQ(counts().l2_misses, 9u + 17);
}

// Sixteen more lines of its set drive a line out of the L2 (and its copy out of the L1 at the same moment).
TEST_F(DataMemoryTest, writes_a_line_back_before_another_takes_its_place) {
  store(0, 0);
  for (unsigned i = 1; i < 16; ++i) load(i * kL2Stride, 10000 * i);
  EXPECT_EQ(counts().write_backs, 0u);
  EXPECT_EQ(load(16 * kL2Stride, 200000), 200000u + 30 + 64 + 215);
  EXPECT_EQ(counts().write_backs, 1u);
}

TEST_F(DataMemoryTest, writes_nothing_back_that_nobody_wrote) {
  for (unsigned i = 0; i < 16; ++i) load(i * kL2Stride, 10000 * i);
  EXPECT_EQ(load(16 * kL2Stride, 200000), 200000u + 30 + 215);
  EXPECT_EQ(counts().write_backs, 0u);
}

TEST_F(DataMemoryTest, keeps_a_dirty_line_of_the_l1_in_the_l2) {
  store(0, 0);
  for (unsigned i = 1; i <= 16; ++i) load(i * kL1Stride, 10000 * i);
  EXPECT_EQ(counts().write_backs, 0u);
  EXPECT_EQ(load(0, 200000), 200015u);
}

}  // namespace data_memory_test
}  // namespace warpfork::ooo
