// Which store a load of the same thread takes its data from.
#include "ooo/store_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace store_queue_test {

constexpr std::uint64_t kNone = StoreQueue::kNone;

class StoreQueueTest : public ::testing::Test {
 protected:
  /// An access by those lanes, lowest first.
  std::uint64_t access(LaneMask lanes, const std::vector<std::uint64_t>& addresses) {
    const std::uint64_t position = addresses_.end();
    addresses_.push() = lanes;
    for (const std::uint64_t address : addresses) addresses_.push() = address;
    return position;
  }
  void store(std::uint64_t uop, LaneMask lanes, const std::vector<std::uint64_t>& addresses, unsigned bytes = 8) {
    queue_.push(uop, access(lanes, addresses), bytes);
  }
  std::uint64_t blocking(LaneMask lanes, const std::vector<std::uint64_t>& addresses, unsigned bytes = 8) {
    return queue_.blocking(access(lanes, addresses), bytes);
  }

  AddressQueue addresses_;
  StoreQueue queue_{addresses_, Disambiguation::Perfect};
};

TEST_F(StoreQueueTest, names_the_youngest_store_to_the_bytes) {
  EXPECT_EQ(blocking(1, {0x1000}), kNone);
  store(10, 1, {0x1000});
  store(11, 1, {0x1000});
  store(12, 1, {0x2000});
  EXPECT_EQ(blocking(1, {0x1000}), 11u);
  EXPECT_EQ(blocking(1, {0x2000}), 12u);
  EXPECT_EQ(blocking(1, {0x3000}), kNone);
}

TEST_F(StoreQueueTest, keeps_lanes_apart) {
  store(10, 0b0001, {0x1000});
  store(11, 0b0010, {0x1000});
  EXPECT_EQ(blocking(0b0001, {0x1000}), 10u);
  EXPECT_EQ(blocking(0b0010, {0x1000}), 11u);
  EXPECT_EQ(blocking(0b1100, {0x1000, 0x1000}), kNone);
  store(12, 0b1010, {0x1000, 0x3000});  // lane 3 another address
  EXPECT_EQ(blocking(0b1000, {0x1000}), kNone);
  EXPECT_EQ(blocking(0b1000, {0x3000}), 12u);
}

TEST_F(StoreQueueTest, sees_overlaps_of_a_byte) {
  store(10, 1, {0x1008}, 4);
  EXPECT_EQ(blocking(1, {0x1000}, 8), kNone);
  EXPECT_EQ(blocking(1, {0x1001}, 8), 10u);
  EXPECT_EQ(blocking(1, {0x100b}, 1), 10u);
  EXPECT_EQ(blocking(1, {0x100c}, 1), kNone);
}

TEST_F(StoreQueueTest, sees_overlaps_of_32_bytes) {
  store(10, 1, {0x1004}, 32);  // five words
  EXPECT_EQ(blocking(1, {0x1003}, 1), kNone);
  EXPECT_EQ(blocking(1, {0x1004}, 1), 10u);
  EXPECT_EQ(blocking(1, {0x1023}, 1), 10u);
  EXPECT_EQ(blocking(1, {0x1024}, 1), kNone);
  EXPECT_EQ(blocking(1, {0x0fe5}, 32), 10u);  // the last byte
  EXPECT_EQ(blocking(1, {0x0fe4}, 32), kNone);
  EXPECT_EQ(blocking(1, {0x1023}, 32), 10u);  // the first
  EXPECT_EQ(blocking(1, {0x1024}, 32), kNone);
}

TEST_F(StoreQueueTest, lets_loads_take_what_has_executed) {
  store(10, 1, {0x1000});
  store(11, 1, {0x1000});
  queue_.executed(10);
  EXPECT_EQ(blocking(1, {0x1000}), 11u);
  queue_.executed(11);
  EXPECT_EQ(blocking(1, {0x1000}), kNone);
}

TEST_F(StoreQueueTest, does_not_look_behind_a_store_of_all_bytes) {
  store(10, 1, {0x1000});
  store(11, 1, {0x1000});
  queue_.executed(11);
  EXPECT_EQ(blocking(1, {0x1000}), kNone);  // of 10 it wants nothing
}

TEST_F(StoreQueueTest, looks_for_each_byte_by_itself) {
  store(10, 1, {0x1000}, 8);
  store(11, 1, {0x1004}, 4);
  queue_.executed(11);
  EXPECT_EQ(blocking(1, {0x1004}, 4), kNone);
  EXPECT_EQ(blocking(1, {0x1003}, 4), 10u);
  EXPECT_EQ(blocking(1, {0x1000}, 8), 10u);
}

TEST_F(StoreQueueTest, looks_for_each_lane_by_itself) {
  store(10, 0b11, {0x1000, 0x1000});
  store(11, 0b01, {0x1000});
  queue_.executed(11);
  EXPECT_EQ(blocking(0b01, {0x1000}), kNone);
  EXPECT_EQ(blocking(0b11, {0x1000, 0x1000}), 10u);
}

TEST_F(StoreQueueTest, names_one_store_after_the_other) {
  store(10, 0b10, {0x1000});
  store(11, 0b01, {0x1000});
  const std::uint64_t load = access(0b11, {0x1000, 0x1000});
  store(13, 0b11, {0x1000, 0x1000});  // behind the load, which is 12
  EXPECT_EQ(queue_.blocking(load, 8, 12), 11u);
  queue_.executed(11);
  EXPECT_EQ(queue_.blocking(load, 8, 12), 10u);
  queue_.executed(10);
  EXPECT_EQ(queue_.blocking(load, 8, 12), kNone);
}

TEST_F(StoreQueueTest, forgets_what_has_committed_or_was_taken_back) {
  for (std::uint64_t uop = 10; uop < 13; ++uop) store(uop, 1, {0x1000});
  queue_.pop_youngest();
  EXPECT_EQ(blocking(1, {0x1000}), 11u);
  queue_.pop_oldest();
  EXPECT_EQ(blocking(1, {0x1000}), 11u);
  queue_.pop_oldest();
  EXPECT_EQ(blocking(1, {0x1000}), kNone);
  store(12, 1, {0x1000});  // a number that was taken back comes again
  EXPECT_EQ(blocking(1, {0x1000}), 12u);
}

TEST_F(StoreQueueTest, holds_loads_up_until_addresses_are_known) {
  StoreQueue queue(addresses_, Disambiguation::Addresses);
  queue.push(10, access(0b01, {0x1000}), 8);
  queue.push(11, access(0b10, {0x2000}), 8);
  queue.push(12, access(0b01, {0x3000}), 8);
  EXPECT_EQ(queue.blocking(access(0b01, {0x9000}), 8), 12u);
  queue.address_known(12);
  EXPECT_EQ(queue.blocking(access(0b01, {0x9000}), 8), 10u);  // 11 is another thread's
  EXPECT_EQ(queue.blocking(access(0b01, {0x9000}), 8, 10), kNone);
  queue.address_known(10);
  EXPECT_EQ(queue.blocking(access(0b01, {0x9000}), 8), kNone);
  EXPECT_EQ(queue.blocking(access(0b01, {0x1000}), 8), 10u);  // its data
  queue.executed(10);
  EXPECT_EQ(queue.blocking(access(0b01, {0x1000}), 8), kNone);
  queue.executed(11);  // an address that nobody spoke of is known by then
  EXPECT_EQ(queue.blocking(access(0b10, {0x9000}), 8), kNone);
}

TEST_F(StoreQueueTest, holds_loads_up_until_stores_have_executed) {
  StoreQueue queue(addresses_, Disambiguation::Stores);
  queue.push(10, access(0b01, {0x1000}), 8);
  queue.push(11, access(0b10, {0x2000}), 8);
  queue.address_known(10);
  EXPECT_EQ(queue.blocking(access(0b01, {0x9000}), 8), 10u);
  EXPECT_EQ(queue.blocking(access(0b11, {0x9000, 0x9000}), 8), 11u);
  queue.executed(11);
  EXPECT_EQ(queue.blocking(access(0b11, {0x9000, 0x9000}), 8), 10u);
  queue.executed(10);
  EXPECT_EQ(queue.blocking(access(0b11, {0x9000, 0x9000}), 8), kNone);
}

// Loads are first compared with counters of words, of which 1024 are kept.
TEST_F(StoreQueueTest, tells_words_apart_that_share_a_counter) {
  store(10, 1, {0x1000});
  EXPECT_EQ(blocking(1, {0x1000 + 8 * 1024 * 1024}), kNone);
  store(11, 1, {0x1000 + 8 * 1024 * 1024});
  queue_.pop_oldest();
  EXPECT_EQ(blocking(1, {0x1000}), kNone);
  EXPECT_EQ(blocking(1, {0x1000 + 8 * 1024 * 1024}), 11u);
}

}  // namespace store_queue_test
}  // namespace warpfork::ooo
