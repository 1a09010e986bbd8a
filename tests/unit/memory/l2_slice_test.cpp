#include "memory/l2_slice.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "machines.h"

namespace warpfork::memory {
namespace l2_slice_test {

/// One slice between two networks of one port each, its DRAM a stub that answers when told. An L2 cycle is a core
/// cycle.
class L2SliceTest : public ::testing::Test {
 protected:
  /// Sends a request that stands at the slice's port in cycle `at`.
  std::uint32_t send(AccessKind kind, std::uint64_t line, unsigned first_sector, unsigned sectors, Cycle at) {
    const std::uint32_t number = transactions_.allocate();
    Transaction& transaction = transactions_[number];
    transaction.request = {line * 128 + first_sector * 32, sectors * 32, kind, 0, 0};
    transaction.line = line;
    transaction.first_sector = static_cast<std::uint8_t>(first_sector);
    transaction.sectors = transaction.pending = static_cast<std::uint8_t>(sectors);
    slice_.expect(number, 1, at);
    return number;
  }
  /// Runs to `end` − 1; returns the cycles in which answers left for the network.
  std::vector<Cycle> run_to(Cycle end) {
    std::vector<Cycle> answers;
    for (; now_ < end; ++now_) {
      slice_.tick(now_, now_);
      replies_.step(now_ + 1, [&](unsigned core, std::uint32_t, unsigned flits, Tick) {
        replies_.release(core, flits);
        answers.push_back(now_);
      });
    }
    return answers;
  }
  std::optional<DramRequest> take_dram_request() {
    if (slice_.dram_request() == nullptr) return std::nullopt;
    const DramRequest request = *slice_.dram_request();
    slice_.pop_dram_request();
    return request;
  }

  MemorySpec spec_ = testing::gtx480();
  AddressMapping mapping_{spec_.mapping};
  TransactionTable transactions_;
  Crossbar requests_{spec_.interconnect, 1, 1, 9};
  Crossbar replies_{spec_.interconnect, 1, 1, 73};
  L2Slice slice_{spec_.l2, mapping_, 0, transactions_, requests_, replies_};
  Cycle now_ = 0;
};

// Port in cycle 10, 120 of delay, then one sector a cycle into the queue and the cycle after to the tags.
TEST_F(L2SliceTest, answers_a_hit_sector_by_sector_after_the_fixed_delay) {
  slice_.warm(7, 0b1111);
  send(AccessKind::Load, 7, 0, 4, 10);
  EXPECT_EQ(run_to(200), (std::vector<Cycle>{131, 132, 133, 134}));
  EXPECT_EQ(slice_.statistics().hits, 4u);
}

TEST_F(L2SliceTest, sleeps_until_the_delay_is_over) {
  send(AccessKind::Load, 7, 0, 1, 10);
  EXPECT_EQ(slice_.tick(0, 0), 10u);
  EXPECT_EQ(slice_.tick(10, 10), 130u);
  EXPECT_EQ(slice_.tick(130, 130), 131u);
}

TEST_F(L2SliceTest, fetches_a_missing_sector_and_answers_after_its_fill) {
  send(AccessKind::Load, 7, 2, 1, 0);
  EXPECT_TRUE(run_to(122).empty());
  EXPECT_FALSE(take_dram_request().has_value());
  run_to(123);
  const std::optional<DramRequest> fetch = take_dram_request();
  ASSERT_TRUE(fetch.has_value());
  EXPECT_FALSE(fetch->write);
  EXPECT_EQ(fetch->bytes, 32u);
  slice_.fill(fetch->tag);
  EXPECT_EQ(run_to(200), (std::vector<Cycle>{124}));  // filled in 123, answered in the next
}

TEST_F(L2SliceTest, fetches_a_sector_once_for_all_who_wait) {
  for (int i = 0; i < 3; ++i) send(AccessKind::Load, 7, 0, 1, 0);
  run_to(150);
  const std::optional<DramRequest> fetch = take_dram_request();
  ASSERT_TRUE(fetch.has_value());
  EXPECT_FALSE(take_dram_request().has_value());
  slice_.fill(fetch->tag);
  EXPECT_EQ(run_to(200).size(), 3u);
  EXPECT_EQ(slice_.statistics().misses, 1u);
  EXPECT_EQ(slice_.statistics().hit_pending, 2u);
}

TEST_F(L2SliceTest, acknowledges_a_write_that_misses_without_fetching) {
  send(AccessKind::Store, 7, 0, 4, 0);
  EXPECT_EQ(run_to(200).size(), 4u);
  EXPECT_FALSE(take_dram_request().has_value());
  send(AccessKind::Load, 7, 0, 4, 200);
  EXPECT_EQ(run_to(400).size(), 4u);
  EXPECT_FALSE(take_dram_request().has_value());
}

TEST_F(L2SliceTest, fetches_a_sector_written_in_part_only_when_it_is_read) {
  const std::uint32_t number = send(AccessKind::Store, 7, 0, 1, 0);
  transactions_[number].request.bytes = 4;
  EXPECT_EQ(run_to(200).size(), 1u);
  EXPECT_FALSE(take_dram_request().has_value());
  send(AccessKind::Load, 7, 0, 1, 200);
  run_to(400);
  EXPECT_TRUE(take_dram_request().has_value());
}

// 8 ways: the ninth line of a set (64 sets apart) evicts the first, of which 2 sectors are dirty.
TEST_F(L2SliceTest, writes_the_dirty_sectors_of_an_evicted_line_back) {
  send(AccessKind::Store, 0, 1, 2, 0);
  for (std::uint64_t i = 1; i <= 8; ++i) send(AccessKind::Store, i * 64, 0, 1, 0);
  run_to(300);
  const std::optional<DramRequest> write_back = take_dram_request();
  ASSERT_TRUE(write_back.has_value());
  EXPECT_TRUE(write_back->write);
  EXPECT_EQ(write_back->bytes, 64u);
  EXPECT_FALSE(take_dram_request().has_value());
}

TEST_F(L2SliceTest, leaves_a_sector_dirty_after_an_atomic) {
  slice_.warm(0, 0b1111);
  send(AccessKind::Atomic, 0, 0, 1, 0);
  EXPECT_EQ(run_to(200).size(), 1u);
  for (std::uint64_t i = 1; i <= 8; ++i) send(AccessKind::Store, i * 64, 0, 1, 200);
  run_to(400);
  const std::optional<DramRequest> write_back = take_dram_request();
  ASSERT_TRUE(write_back.has_value());
  EXPECT_TRUE(write_back->write);
}

TEST_F(L2SliceTest, writes_back_what_a_write_left_there_at_a_time_that_is_not_simulated) {
  slice_.warm(0, 0b1111, false);
  slice_.warm(1, 0b0011, true);
  for (std::uint64_t i = 1; i <= 8; ++i) send(AccessKind::Store, i * 64, 0, 1, 0);
  run_to(200);
  EXPECT_FALSE(take_dram_request().has_value()) << "was read";
  for (std::uint64_t i = 1; i <= 8; ++i) send(AccessKind::Store, i * 64 + 1, 0, 1, 200);
  run_to(400);
  const std::optional<DramRequest> write_back = take_dram_request();
  ASSERT_TRUE(write_back.has_value());
  EXPECT_EQ(write_back->bytes, 64u);
}

TEST_F(L2SliceTest, does_not_answer_a_write_back_and_forgets_it) {
  send(AccessKind::WriteBack, 7, 0, 4, 0);
  EXPECT_TRUE(run_to(200).empty());
  EXPECT_TRUE(transactions_.empty());
}

TEST_F(L2SliceTest, stops_when_nothing_leaves_the_queue_to_dram) {
  for (unsigned i = 0; i < 80; ++i) send(AccessKind::Load, i, 0, 1, 0);
  run_to(1000);
  EXPECT_EQ(slice_.statistics().misses, 64u);  // that many wait for DRAM, and the tags stop at a full queue
  take_dram_request();
  run_to(1100);
  EXPECT_EQ(slice_.statistics().misses, 65u);
}

}  // namespace l2_slice_test
}  // namespace warpfork::memory
