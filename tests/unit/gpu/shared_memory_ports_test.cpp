#include "gpu/shared_memory_ports.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::gpu {
namespace shared_memory_ports_test {

/// Threads 0, 1, … come to these words.
InFlight access(const std::vector<std::uint64_t>& words) {
  InFlight record{};
  record.executed = ActiveMask::first(static_cast<unsigned>(words.size()));
  for (std::size_t thread = 0; thread < words.size(); ++thread)
    record.extra->transaction[thread].address = 4 * words[thread];
  return record;
}

/// Number 7 of its lane.
void add(SharedMemoryPorts& ports, const SharedMemoryPorts::Stream& stream, const InFlight& instruction) {
  ports.add_tried(7, ports.clear_groups(stream, instruction));
}

/// Of four banks, with a stream of lane 0: threads to words 0, 1, 2 and 3 in cycles 10 to 13.
class SharedMemoryPortsTest : public ::testing::Test {
 protected:
  SharedMemoryPortsTest() { add(ports_, stream(0, 10, 4), access({0, 1, 2, 3})); }

  static SharedMemoryPorts::Stream stream(unsigned lane, Cycle from, unsigned groups, unsigned width = 1) {
    return {.lane = lane, .from = from, .groups = groups, .first_group = 0, .width = width};
  }

  SharedMemoryPorts ports_{4};
};

TEST_F(SharedMemoryPortsTest, a_bank_serves_one_word_a_cycle_to_whoever_asks) {
  EXPECT_TRUE(ports_.serve(4 * 1, 5));
  EXPECT_TRUE(ports_.serve(4 * 1 + 2, 5));
  EXPECT_FALSE(ports_.serve(4 * 5, 5));
  EXPECT_TRUE(ports_.serve(4 * 2, 5));
  EXPECT_TRUE(ports_.serve(4 * 5, 6));
}

TEST_F(SharedMemoryPortsTest, a_stream_is_in_the_way_of_other_words_of_its_bank_in_its_cycle) {
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 6, 12), 1u);
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 2, 12), 0u) << "its own word";
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 5, 12), 0u) << "another bank";
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 4, 14), 0u) << "it is over";
}

// A cycle behind the other lane, to words 4, 5, 6: never in one bank. In cycle 12 to word 6, beside word 2: in bank 2.
TEST_F(SharedMemoryPortsTest, a_stream_is_clear_up_to_where_it_meets_another) {
  EXPECT_EQ(ports_.clear_groups(stream(1, 11, 3), access({4, 5, 6})), 3u);
  EXPECT_EQ(ports_.clear_groups(stream(1, 11, 3), access({4, 6, 7})), 1u);
  EXPECT_EQ(ports_.clear_groups(stream(1, 14, 3), access({4, 5, 6})), 3u);
}

TEST_F(SharedMemoryPortsTest, a_stream_of_groups_is_clear_up_to_one_whose_threads_meet) {
  EXPECT_EQ(ports_.clear_groups(stream(1, 20, 3, 2), access({0, 1, 2, 2, 1, 5})), 2u);
}

// Of six banks: words 1 and 7 are in one, words 0 and 2 are not, though both are even.
TEST(SharedMemoryPorts, banks_need_not_be_a_power_of_two) {
  SharedMemoryPorts ports(6);
  add(ports, {.lane = 0, .from = 10, .groups = 2, .first_group = 0, .width = 1}, access({0, 1}));
  const SharedMemoryPorts::Stream other{.lane = 1, .from = 10, .groups = 2, .first_group = 0, .width = 1};
  EXPECT_EQ(ports.clear_groups(other, access({2, 7})), 1u);
  EXPECT_EQ(ports.clear_groups(other, access({2, 3})), 2u);
}

TEST_F(SharedMemoryPortsTest, a_stream_that_ends_is_in_nobodys_way) {
  ports_.end_stream(0, 7, 2);
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 5, 11), 1u);
  EXPECT_EQ(ports_.lanes_in_the_way(4 * 6, 12), 0u);
}

}  // namespace shared_memory_ports_test
}  // namespace warpfork::gpu
