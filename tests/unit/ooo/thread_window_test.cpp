// The part of a recorded thread that is in flight, and the queue that it and others are kept in.
#include "ooo/thread_window.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ooo/address_queue.h"

namespace warpfork::ooo {
namespace thread_window_test {

/// A stream that counts how far it was read.
class CountedStream final : public x86::InstructionStream {
 public:
  CountedStream(const x86::StaticInstruction& instruction, unsigned length, unsigned& read)
      : instruction_(instruction), length_(length), read_(read) {}
  bool next(x86::DynamicInstruction& next) override {
    if (read_ == length_) return false;
    address_ = ++read_;
    event_.sequence = read_;
    next = {&instruction_, read_ == length_ ? 0 : instruction_.pc, {address_}, {event_}};
    return true;
  }

 private:
  const x86::StaticInstruction& instruction_;
  unsigned length_;
  unsigned& read_;
  std::uint64_t address_ = 0;
  x86::SyncEvent event_;
};

class ThreadWindowTest : public ::testing::Test {
 protected:
  ThreadWindow window(unsigned length) { return ThreadWindow(std::make_unique<CountedStream>(nop_, length, read_)); }

  x86::StaticInstruction nop_;
  unsigned read_ = 0;
};

TEST_F(ThreadWindowTest, reads_no_further_than_it_is_asked) {
  ThreadWindow thread = window(10);
  EXPECT_EQ(read_, 0u);
  EXPECT_EQ(thread.at(3)->addresses.at(0), 4u);
  EXPECT_EQ(read_, 4u);
  EXPECT_EQ(thread.at(1)->addresses.at(0), 2u);  // after a misprediction
  EXPECT_EQ(thread.at(1)->events.at(0).sequence, 2u);
  EXPECT_EQ(read_, 4u);
}

TEST_F(ThreadWindowTest, tells_the_end_as_often_as_it_is_asked) {
  ThreadWindow thread = window(2);
  EXPECT_EQ(thread.at(2), nullptr);
  EXPECT_EQ(thread.at(2), nullptr);
  EXPECT_EQ(thread.at(5), nullptr);
  ASSERT_NE(thread.at(1), nullptr);
  EXPECT_EQ(thread.at(1)->next_pc, 0u);
}

TEST_F(ThreadWindowTest, knows_what_is_in_flight_while_older_is_retired) {
  constexpr unsigned kLength = 10000, kInFlight = 100;
  ThreadWindow thread = window(kLength);
  for (unsigned number = 0; number < kLength; ++number) {
    ASSERT_EQ(thread.at(number)->addresses.at(0), number + 1);
    if (number < kInFlight) continue;
    thread.retire(number - kInFlight);
    ASSERT_EQ(thread.at(number - kInFlight)->addresses.at(0), number - kInFlight + 1);
  }
}

TEST_F(ThreadWindowTest, of_a_thread_without_instructions_is_empty) {
  ThreadWindow thread = window(0);
  EXPECT_EQ(thread.at(0), nullptr);
}

TEST(NumberedQueue, keeps_numbers_while_it_grows) {
  NumberedQueue<unsigned> queue(4);
  for (unsigned i = 0; i < 3; ++i) queue.push() = i;
  queue.drop_before(3);
  for (unsigned i = 3; i < 20; ++i) queue.push() = i;  // wraps round, then grows twice and more
  EXPECT_EQ(queue.begin(), 3u);
  EXPECT_EQ(queue.end(), 20u);
  EXPECT_EQ(queue.size(), 17u);
  for (unsigned i = 3; i < 20; ++i) EXPECT_EQ(queue[i], i);
}

TEST(NumberedQueue, older_elements_move_up_where_one_is_taken_out) {
  NumberedQueue<unsigned> queue(4);
  for (const unsigned value : {10u, 11u, 12u, 13u}) queue.push() = value;
  queue.erase(2);
  EXPECT_EQ(queue.begin(), 1u);
  EXPECT_EQ(queue.end(), 4u);
  EXPECT_EQ((std::vector{queue[1], queue[2], queue[3]}), (std::vector{10u, 11u, 13u}));
}

TEST(NumberedQueue, gives_the_numbers_of_what_is_taken_back_again) {
  NumberedQueue<unsigned> queue(4);
  for (unsigned i = 0; i < 4; ++i) queue.push() = i;
  queue.drop_from(2);
  EXPECT_EQ(queue.end(), 2u);
  queue.push() = 70;
  EXPECT_EQ(queue[2], 70u);
  EXPECT_EQ(queue[1], 1u);
  queue.drop_before(3);
  EXPECT_TRUE(queue.empty());
}

TEST(AddressQueue, goes_from_access_to_access) {
  AddressQueue queue;
  queue.push() = 0b1011;
  for (unsigned lane = 0; lane < 3; ++lane) queue.push() = 0x1000 + lane;
  queue.push() = 0;  // made by no lane
  queue.push() = 0b1;
  EXPECT_EQ(queue.behind(0), 4u);
  EXPECT_EQ(queue.behind(4), 5u);
}

}  // namespace thread_window_test
}  // namespace warpfork::ooo
