// The issue queue: what µops wait for, and which of those that wait no more goes first.
#include "ooo/issue_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpfork::ooo {
namespace issue_queue_test {

using Orders = std::vector<std::uint64_t>;

/// Two µops may wait; registers 0 to 9.
struct Queue {
  ReorderBuffer buffer{2, 16, 1};
  IssueQueue queue{2, 10, 2, buffer};
  Unit busy = Unit::Vector;

  UopInFlight& enter(unsigned warp = 0, bool free = false) {
    UopInFlight& uop = buffer.push(warp, 0, free);
    queue.enter(uop);
    return uop;
  }
  /// Orders of what is selected, at most so many that take width.
  Orders select(unsigned width = 16) {
    Orders orders;
    queue.select(
        width, [&](Unit unit) { return unit != busy; },
        [&](const UopInFlight& uop) {
          orders.push_back(uop.order);
          return true;
        });
    return orders;
  }
  void wake(PhysicalRegister physical) {
    queue.wake(physical, [](const UopInFlight&) {});
  }
};

TEST(IssueQueue, selects_a_uop_when_its_last_operand_is_there) {
  Queue q;
  UopInFlight& uop = q.enter();
  for (const PhysicalRegister source : {1, 2}) {
    q.queue.allocate(source);
    q.queue.wait_for(uop, source);
  }
  q.queue.settle(uop);
  q.wake(1);
  EXPECT_FALSE(q.queue.may_select());
  q.wake(2);
  EXPECT_EQ(q.select(), Orders{0});
  EXPECT_EQ(uop.waited, WaitCause::Operand);
}

TEST(IssueQueue, does_not_wait_for_a_register_that_nobody_writes) {
  Queue q;
  UopInFlight& uop = q.enter();
  q.queue.wait_for(uop, 1);
  q.queue.settle(uop);
  EXPECT_EQ(q.select(), Orders{0});
}

TEST(IssueQueue, selects_the_oldest_of_all_warps_first) {
  Queue q;
  UopInFlight& first = q.enter(1);
  UopInFlight& second = q.enter(0);
  q.queue.settle(second);
  q.queue.settle(first);
  EXPECT_EQ(q.select(1), Orders{0});
  EXPECT_EQ(q.select(1), Orders{1});
}

TEST(IssueQueue, passes_over_what_needs_a_unit_that_is_busy) {
  Queue q;
  UopInFlight& first = q.enter();
  first.kind = x86::UopKind::VectorAlu;
  q.queue.settle(first);
  q.queue.settle(q.enter());
  EXPECT_EQ(q.select(1), Orders{1});
  q.busy = Unit::Memory;
  EXPECT_EQ(q.select(1), Orders{0});
  EXPECT_EQ(first.waited, WaitCause::Unit);
}

TEST(IssueQueue, selects_what_takes_no_width_when_that_is_used_up) {
  Queue q;
  q.queue.settle(q.enter());
  UopInFlight& second = q.enter();
  q.queue.settle(second);
  q.queue.settle(q.enter(0, true));  // a free one
  EXPECT_EQ(q.select(1), (Orders{0, 2}));
  EXPECT_EQ(second.waited, WaitCause::Nothing);
  EXPECT_EQ(q.select(1), Orders{1});
  EXPECT_EQ(second.waited, WaitCause::Unit);
}

TEST(IssueQueue, has_room_again_when_a_uop_has_issued) {
  Queue q;
  q.queue.settle(q.enter());
  EXPECT_TRUE(q.queue.has_room());
  q.enter();
  q.enter(0, true);  // a free one, which takes no entry
  EXPECT_FALSE(q.queue.has_room());
  q.select();
  EXPECT_TRUE(q.queue.has_room());
}

TEST(IssueQueue, wakes_those_whose_masks_are_known) {
  Queue q;
  UopInFlight& known = q.enter();
  UopInFlight& unknown = q.enter();
  q.queue.wait_for_mask(known);
  q.queue.wait_for_mask(unknown);
  q.queue.wake_masks(0, [&](const UopInFlight& uop) { return &uop == &known; });
  EXPECT_EQ(q.select(), Orders{0});
  EXPECT_EQ(known.waited, WaitCause::Mask);
}

TEST(IssueQueue, tells_when_a_store_s_address_is_known) {
  Queue q;
  UopInFlight& store = q.enter();
  q.queue.allocate(1), q.queue.allocate(2);
  q.queue.wait_for(store, 1, true);
  q.queue.wait_for(store, 2);
  unsigned told = 0;
  const auto count = [&](const UopInFlight&) { ++told; };
  q.queue.wake(2, count);
  EXPECT_EQ(told, 0u);
  q.queue.wake(1, count);
  EXPECT_EQ(told, 1u);
}

TEST(IssueQueue, forgets_what_is_flushed) {
  Queue q;
  UopInFlight& uop = q.enter();
  q.queue.settle(uop);
  UopInFlight& waits = q.enter();
  q.queue.wait_for_mask(waits);
  for (int i = 0; i < 2; ++i) {
    q.queue.flush(q.buffer.youngest(0));
    q.buffer.drop_youngest(0);
  }
  EXPECT_TRUE(q.queue.has_room());
  EXPECT_EQ(q.select(), Orders{});
  q.queue.wake_masks(0, [](const UopInFlight&) { return true; });
}

}  // namespace issue_queue_test
}  // namespace warpfork::ooo
