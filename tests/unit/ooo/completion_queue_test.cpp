// What has issued, by when it is done.
#include "ooo/completion_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace completion_queue_test {

using Orders = std::vector<std::uint64_t>;

Orders done_by(CompletionQueue& queue, Cycle now) {
  Orders orders;
  queue.pop_done(now, [&](const UopId& uop) { orders.push_back(uop.order); });
  return orders;
}

TEST(CompletionQueue, is_done_in_its_cycle_and_not_before) {
  CompletionQueue queue;
  queue.push(7, {0, 0, 0});
  EXPECT_EQ(queue.next(), 7u);
  EXPECT_EQ(done_by(queue, 6), Orders{});
  EXPECT_EQ(done_by(queue, 7), Orders{0});
  EXPECT_EQ(queue.next(), kNever);
}

TEST(CompletionQueue, takes_the_older_first_within_a_cycle) {
  CompletionQueue queue;
  for (const std::uint64_t order : {4, 2, 3}) queue.push(9, {order, 0, 0});
  queue.push(8, {5, 0, 0});
  EXPECT_EQ(done_by(queue, 9), (Orders{5, 2, 3, 4}));
}

TEST(CompletionQueue, keeps_the_order_of_what_was_pushed_long_before) {
  CompletionQueue queue;
  for (const std::uint64_t order : {1, 0}) queue.push(1000, {order, 0, 0});
  queue.push(1001, {2, 0, 0});
  EXPECT_EQ(done_by(queue, 999), Orders{});
  for (const std::uint64_t order : {4, 3}) queue.push(1000, {order, 0, 0});
  EXPECT_EQ(done_by(queue, 1000), (Orders{0, 1, 3, 4}));
  EXPECT_EQ(queue.next(), 1001u);
}

TEST(CompletionQueue, finds_the_next_however_far_it_is) {
  for (const Cycle now : {0, 63, 64, 200, 255, 256}) {
    for (const Cycle wait : {1, 55, 56, 63, 64, 65, 255, 256, 257, 5000}) {
      CompletionQueue queue;
      done_by(queue, now);
      queue.push(now, {0, 0, 0});
      queue.push(now + wait, {1, 0, 0});
      EXPECT_EQ(done_by(queue, now + wait - 1), Orders{0});
      EXPECT_EQ(queue.next(), now + wait);
      EXPECT_EQ(done_by(queue, now + wait), Orders{1});
      EXPECT_EQ(queue.next(), kNever);
    }
  }
}

}  // namespace completion_queue_test
}  // namespace warpfork::ooo
