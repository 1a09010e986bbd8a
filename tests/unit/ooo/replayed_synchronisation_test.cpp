// Who waits for whom in a replay, event by event.
#include "ooo/replayed_synchronisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace warpfork::ooo {
namespace replayed_synchronisation_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum x86::SyncKind;

constexpr std::uint64_t kLock = 0xa0, kOther = 0xa8, kBarrier = 0xb0, kCondition = 0xc0;

/// Threads whose events are recorded in the order in which they are told here, and then replayed in any other.
class Replayed : public ::testing::Test {
 protected:
  void enters(unsigned thread, x86::SyncKind kind, std::uint64_t object) { record(thread, kind, false, object); }
  void tries(unsigned thread, std::uint64_t lock) {
    record(thread, Lock, false, lock, true);
    record(thread, Lock, true, lock, true);
  }
  void leaves(unsigned thread, x86::SyncKind kind, std::uint64_t object) { record(thread, kind, true, object); }
  void calls(unsigned thread, x86::SyncKind kind, std::uint64_t object) {
    enters(thread, kind, object);
    leaves(thread, kind, object);
  }
  /// The thread passes its next event, if it may.
  bool step(unsigned thread) {
    if (std::exchange(recording_, false)) synchronisation_.finish();
    std::vector<x86::SyncEvent>& left = left_.at(thread);
    if (!synchronisation_.passes(thread, left.front())) return false;
    left.erase(left.begin());
    return true;
  }
  /// As far as it comes; the number of events that it passes.
  unsigned run(unsigned thread) {
    unsigned passed = 0;
    while (!left_.at(thread).empty() && step(thread)) ++passed;
    return passed;
  }
  void end(unsigned thread) { synchronisation_.ended(thread); }
  bool done(unsigned thread) { return left_.at(thread).empty(); }

  ReplayedSynchronisation synchronisation_;

 private:
  void record(unsigned thread, x86::SyncKind kind, bool leaves, std::uint64_t object, bool tries = false) {
    const x86::SyncEvent event{kind, leaves, object, ++sequence_, tries};
    synchronisation_.add(thread, event);
    left_[thread].push_back(event);
  }
  std::map<unsigned, std::vector<x86::SyncEvent>> left_;
  std::uint64_t sequence_ = 0;
  bool recording_ = true;
};

class ReplayedBarrier : public Replayed {
 protected:
  /// Three threads come twice. When it was recorded, thread 0 came again before the others had left.
  void SetUp() override {
    for (const unsigned thread : {0, 1, 2}) enters(thread, Barrier, kBarrier);
    leaves(0, Barrier, kBarrier);
    enters(0, Barrier, kBarrier);
    for (const unsigned thread : {1, 2}) calls_again(thread);
    for (const unsigned thread : {2, 1, 0}) leaves(thread, Barrier, kBarrier);
  }

 private:
  void calls_again(unsigned thread) {
    leaves(thread, Barrier, kBarrier);
    enters(thread, Barrier, kBarrier);
  }
};

TEST_F(ReplayedBarrier, lets_nobody_leave_before_all_have_come) {
  EXPECT_EQ(run(2), 1u);
  EXPECT_EQ(run(1), 1u);
  EXPECT_FALSE(step(2));
  EXPECT_TRUE(step(0));
  for (const unsigned thread : {2, 1, 0}) EXPECT_TRUE(step(thread));
}

TEST_F(ReplayedBarrier, is_not_left_for_the_second_time_because_of_the_first) {
  for (const unsigned thread : {0, 1, 2}) step(thread);
  EXPECT_EQ(run(2), 2u);  // leaves and comes again, while the others have not left
  EXPECT_EQ(run(1), 2u);
  EXPECT_FALSE(step(2));
  EXPECT_EQ(run(0), 3u);  // comes, and leaves at once
  EXPECT_EQ(run(1), 1u);
  EXPECT_EQ(run(2), 1u);
}

TEST_F(ReplayedBarrier, is_described_while_threads_are_missing) {
  EXPECT_THAT(synchronisation_.describe(), IsEmpty());
  step(2), step(0);
  EXPECT_EQ(synchronisation_.describe(), "barrier b0: 2 of 3 threads have come\n");
  step(1);
  EXPECT_THAT(synchronisation_.describe(), IsEmpty());
}

TEST_F(Replayed, barriers_have_as_many_threads_as_came_to_them) {
  for (const unsigned thread : {0, 1}) enters(thread, Barrier, kBarrier);
  for (const unsigned thread : {0, 1}) leaves(thread, Barrier, kBarrier);
  for (const unsigned thread : {2, 3, 4}) enters(thread, Barrier, kBarrier + 8);
  for (const unsigned thread : {2, 3, 4}) leaves(thread, Barrier, kBarrier + 8);
  EXPECT_EQ(run(2), 1u);
  EXPECT_EQ(run(3), 1u);
  EXPECT_EQ(run(0), 1u);  // not held up, nor let go, by those of the other barrier
  EXPECT_EQ(run(1), 2u);
  EXPECT_EQ(run(4), 2u);
}

TEST_F(Replayed, a_barrier_whose_beginning_was_not_recorded_holds_nobody) {
  leaves(0, Barrier, kBarrier);
  enters(1, Barrier, kBarrier);  // whose end was not recorded
  EXPECT_EQ(run(0), 1u);
  EXPECT_EQ(run(1), 1u);
}

TEST_F(Replayed, locks_are_for_whoever_comes_first) {
  for (const unsigned thread : {0, 1}) {
    calls(thread, Lock, kLock);
    calls(thread, Unlock, kLock);
  }
  EXPECT_TRUE(step(1) && step(1));  // recorded second
  EXPECT_EQ(run(0), 1u);            // has asked
  EXPECT_EQ(synchronisation_.describe(), "thread 1 holds lock a0\n");
  EXPECT_TRUE(step(1));  // is giving it back
  EXPECT_EQ(run(0), 3u);
  EXPECT_EQ(run(1), 1u);
  EXPECT_THAT(synchronisation_.describe(), IsEmpty());
}

// As by std::lock, which tries its second lock: 0 had both before 1 began.
TEST_F(Replayed, locks_that_are_tried_are_not_waited_for_in_a_circle) {
  for (const unsigned thread : {0, 1, 2}) {
    calls(thread, Lock, thread == 0 ? kLock : kOther);
    tries(thread, thread == 0 ? kOther : kLock);
    calls(thread, Unlock, kLock);
    calls(thread, Unlock, kOther);
  }
  EXPECT_TRUE(step(0) && step(0));
  EXPECT_TRUE(step(1) && step(1));
  EXPECT_EQ(run(2), 1u);            // waits for the second lock,
  EXPECT_EQ(run(0), 1u);            // as does 0, which holds the first
  EXPECT_TRUE(step(1) && step(1));  // gets that, as 0 would have given it back
  EXPECT_EQ(run(0) + run(2), 0u);
  EXPECT_EQ(run(1), 4u);
  EXPECT_EQ(run(0), 5u);
  EXPECT_EQ(run(2), 7u);
  EXPECT_TRUE(done(0) && done(1) && done(2));
  EXPECT_THAT(synchronisation_.describe(), IsEmpty());
}

TEST_F(Replayed, locks_do_not_mind_each_other) {
  calls(0, Lock, kLock);
  calls(1, Lock, kOther);
  EXPECT_EQ(run(0), 2u);
  EXPECT_EQ(run(1), 2u);
}

TEST_F(Replayed, a_lock_is_free_when_it_was_unlocked_as_often_as_it_was_locked) {
  for (int times = 0; times < 2; ++times) calls(0, Lock, kLock);
  for (int times = 0; times < 2; ++times) calls(0, Unlock, kLock);
  calls(1, Lock, kLock);
  for (int events = 0; events < 6; ++events) EXPECT_TRUE(step(0));  // unlocked once
  EXPECT_EQ(run(1), 1u);
  EXPECT_TRUE(step(0));
  EXPECT_EQ(run(1), 1u);
}

TEST_F(Replayed, a_lock_from_before_the_recording_is_given_back_unseen) {
  calls(0, Unlock, kLock);
  calls(1, Lock, kLock);
  calls(1, Unlock, kLock);
  EXPECT_EQ(run(1), 4u);
  EXPECT_EQ(run(0), 2u);
}

TEST_F(Replayed, a_lock_is_free_when_the_recording_of_its_owner_ends) {
  calls(0, Lock, kLock);
  calls(1, Lock, kLock);
  EXPECT_EQ(run(0), 2u);
  EXPECT_EQ(run(1), 1u);
  end(0);
  EXPECT_EQ(run(1), 1u);
  EXPECT_EQ(synchronisation_.describe(), "thread 1 holds lock a0\n");
}

/// Bytes that are in memory now.
std::size_t resident() {
  std::ifstream pages("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  pages >> all >> resident;
  return resident * 4096;
}

TEST_F(Replayed, locks_need_no_memory_however_many_they_are) {
  const std::size_t before = resident();
  for (std::uint64_t sequence = 1; sequence < 1'000'000; sequence += 4)
    for (const bool leaves : {false, true})
      for (const auto kind : {Lock, Unlock}) synchronisation_.add(0, {kind, leaves, kLock, sequence});
  EXPECT_LT(resident(), before + (1 << 20));
}

class ReplayedCondition : public Replayed {
 protected:
  /// As a program waits: within the lock, which waiting gives away and takes back.
  void begins_to_wait(unsigned thread) {
    calls(thread, Lock, kLock);
    enters(thread, ConditionWait, kCondition);
    calls(thread, Unlock, kLock);
  }
  void has_waited(unsigned thread) {
    calls(thread, Lock, kLock);
    leaves(thread, ConditionWait, kCondition);
    calls(thread, Unlock, kLock);
  }
  void wakes(unsigned thread, x86::SyncKind how) {
    calls(thread, Lock, kLock);
    calls(thread, how, kCondition);
    calls(thread, Unlock, kLock);
  }
};

TEST_F(ReplayedCondition, is_waited_for) {
  begins_to_wait(0);
  wakes(1, ConditionSignal);
  has_waited(0);
  EXPECT_EQ(run(0), 5u);  // all before it would take the lock again
  EXPECT_EQ(run(1), 6u);
  EXPECT_EQ(run(0), 5u);
}

// The waiting thread must leave the lock to the one that is to wake it, however early it asks.
TEST_F(ReplayedCondition, leaves_the_lock_to_those_who_signal) {
  begins_to_wait(0);
  wakes(1, ConditionSignal);
  wakes(1, ConditionSignal);  // 0 woke up late
  has_waited(0);
  EXPECT_EQ(run(0), 5u);
  for (int events = 0; events < 4; ++events) EXPECT_TRUE(step(1));  // has signalled once
  EXPECT_EQ(run(0), 0u);
  EXPECT_EQ(run(1), 8u);
  EXPECT_EQ(run(0), 5u);
}

TEST_F(ReplayedCondition, may_be_signalled_before_it_is_waited_for) {
  begins_to_wait(0);
  wakes(1, ConditionBroadcast);
  has_waited(0);
  EXPECT_EQ(run(1), 6u);
  EXPECT_EQ(run(0), 10u);
}

TEST_F(ReplayedCondition, is_told_from_others) {
  begins_to_wait(0);
  calls(1, ConditionSignal, kCondition + 0x10);
  calls(2, ConditionSignal, kCondition);
  has_waited(0);
  EXPECT_EQ(run(1), 2u);
  EXPECT_EQ(run(0), 5u);
  EXPECT_TRUE(step(2));  // the call of the signal has begun
  EXPECT_EQ(run(0), 5u);
}

TEST_F(ReplayedCondition, wakes_all_that_wait_by_one_broadcast) {
  for (const unsigned thread : {0, 1, 2}) begins_to_wait(thread);
  wakes(3, ConditionBroadcast);
  for (const unsigned thread : {2, 0, 1}) has_waited(thread);
  for (const unsigned thread : {0, 1, 2}) EXPECT_EQ(run(thread), 5u);
  EXPECT_EQ(run(3), 6u);
  for (const unsigned thread : {0, 1, 2}) EXPECT_EQ(run(thread), 5u);
}

TEST_F(ReplayedCondition, of_a_library_that_hides_the_mutex_is_waited_for) {
  enters(0, ConditionWait, kCondition);
  calls(1, ConditionSignal, kCondition);
  leaves(0, ConditionWait, kCondition);
  EXPECT_EQ(run(0), 1u);
  EXPECT_EQ(run(1), 2u);
  EXPECT_EQ(run(0), 1u);
}

TEST_F(Replayed, threads_start_when_they_are_created_and_are_joined_when_they_end) {
  enters(0, ThreadCreate, 1);
  enters(1, ThreadStart, 0);
  leaves(0, ThreadCreate, 1);
  calls(0, ThreadJoin, 1);
  EXPECT_FALSE(step(1));
  EXPECT_EQ(run(0), 3u);  // waits within the join
  EXPECT_TRUE(step(1));
  EXPECT_FALSE(step(0));
  end(1);
  EXPECT_TRUE(step(0));
}

// The recorder does not know the thread before it is there: a frame may have been written since the call began.
TEST_F(Replayed, a_thread_whose_number_the_call_tells_at_its_end_starts_then) {
  enters(0, ThreadCreate, 0);
  leaves(0, ThreadCreate, 1);
  enters(1, ThreadStart, 0);
  EXPECT_TRUE(step(0));
  EXPECT_FALSE(step(1));
  EXPECT_TRUE(step(0));
  EXPECT_TRUE(step(1));
}

TEST_F(Replayed, the_first_thread_starts_whatever_comes_of_its_calls_that_create_others) {
  enters(0, ThreadStart, 0);
  calls(0, ThreadCreate, 0);   // was refused a thread
  enters(0, ThreadCreate, 0);  // the program ended within it
  EXPECT_EQ(run(0), 4u);
}

TEST_F(Replayed, a_thread_that_nobody_is_seen_to_create_starts_at_once) {
  enters(3, ThreadStart, 0);
  enters(0, ThreadCreate, 1);
  EXPECT_TRUE(step(3));
}

TEST_F(Replayed, a_join_of_an_unknown_thread_waits_for_nobody) {
  calls(1, ThreadJoin, 0);
  EXPECT_EQ(run(1), 2u);
}

TEST_F(Replayed, bodies_of_a_region_begin_when_it_has_been_opened) {
  for (int region = 0; region < 2; ++region) {
    enters(0, Region, 0);
    for (const unsigned thread : {1, 0}) calls(thread, RegionBody, 0);
    leaves(0, Region, 0);
  }
  EXPECT_EQ(run(1), 0u);
  EXPECT_TRUE(step(0));
  EXPECT_EQ(run(1), 2u);  // not the second region's
  EXPECT_TRUE(step(0) && step(0) && step(0));
  EXPECT_EQ(run(1), 0u);
  EXPECT_TRUE(step(0));
  EXPECT_EQ(run(1), 2u);
  EXPECT_EQ(run(0), 3u);
}

}  // namespace replayed_synchronisation_test
}  // namespace warpfork::ooo
