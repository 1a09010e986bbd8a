// The marks of recorded synchronisation: which calls, which objects, in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "unit/x86/recorded_guest.h"

namespace warpfork::x86 {
namespace recorder_marks_test {

using ::testing::ElementsAre;

struct Mark {
  std::uint32_t thread = 0;
  SyncEvent event;
};

/// All threads' events, each thread's in its order.
class Marks {
 public:
  Marks(const std::string& guest, const std::string& arguments, const RecorderRequest& request = {})
      : recording_(record_guest(guest, arguments, request)) {
    for (std::uint32_t thread = 0; thread < recording_.threads(); ++thread)
      for (const DynamicInstruction& executed : all_of(*recording_.open(thread)))
        for (const SyncEvent& event : executed.events) all_.push_back({thread, event});
  }

  const Recording& recording() const { return recording_; }
  std::uint64_t address(const char* name) const { return recording_.symbols().find(name)->address; }

  std::vector<Mark> in_thread(std::uint32_t thread) const {
    std::vector<Mark> found;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(found),
                 [&](const Mark& mark) { return mark.thread == thread; });
    return found;
  }
  /// In the order in which they happened.
  std::vector<Mark> of(std::uint64_t object, std::initializer_list<SyncKind> kinds) const {
    std::vector<Mark> found;
    for (const Mark& mark : all_)
      if (mark.event.object == object && std::find(kinds.begin(), kinds.end(), mark.event.kind) != kinds.end())
        found.push_back(mark);
    std::sort(found.begin(), found.end(),
              [](const Mark& a, const Mark& b) { return a.event.sequence < b.event.sequence; });
    return found;
  }
  const std::vector<Mark>& all() const { return all_; }

 private:
  Recording recording_;
  std::vector<Mark> all_;
};

TEST(RecorderMarks, have_numbers_that_grow_in_every_thread_and_are_never_used_twice) {
  const Marks marks("threads", "4 50");
  std::set<std::uint64_t> seen;
  std::map<std::uint32_t, std::uint64_t> last;
  for (const Mark& mark : marks.all()) {
    EXPECT_TRUE(seen.insert(mark.event.sequence).second);
    EXPECT_GT(mark.event.sequence, last[mark.thread]);
    last[mark.thread] = mark.event.sequence;
  }
}

TEST(RecorderMarks, of_a_barrier_are_those_of_all_threads_in_every_round) {
  constexpr std::size_t kThreads = 4, kRounds = 50;
  const Marks marks("threads", "4 50");
  const std::vector<Mark> barrier = marks.of(marks.address("the_barrier"), {SyncKind::Barrier});
  ASSERT_EQ(barrier.size(), 2 * kThreads * kRounds);
  std::map<std::uint32_t, std::size_t> arrivals;  // of each thread
  for (const Mark& mark : barrier) {
    if (!mark.event.leaves) {
      ++arrivals[mark.thread];
      continue;
    }
    // Nobody leaves a round before all have come to it.
    ASSERT_EQ(arrivals.size(), kThreads);
    for (const auto& [thread, count] : arrivals) EXPECT_GE(count, arrivals[mark.thread]);
  }
}

/// Between a thread's getting the lock and giving it back nobody else may get it.
void expect_one_owner_at_a_time(const std::vector<Mark>& marks) {
  bool is_owned = false;
  std::uint32_t owner = 0;
  for (const Mark& mark : marks) {
    if (mark.event.kind == SyncKind::Lock && mark.event.leaves) {
      EXPECT_FALSE(is_owned) << mark.event.sequence;
      is_owned = true;
      owner = mark.thread;
    } else if (mark.event.kind == SyncKind::Unlock && !mark.event.leaves) {
      EXPECT_TRUE(is_owned && owner == mark.thread) << mark.event.sequence;
      is_owned = false;
    }
  }
  EXPECT_FALSE(is_owned);
}

TEST(RecorderMarks, of_a_mutex_have_one_owner_at_a_time) {
  const Marks marks("threads", "4 50");
  const std::vector<Mark> lock = marks.of(marks.address("the_lock"), {SyncKind::Lock, SyncKind::Unlock});
  EXPECT_EQ(lock.size(), 4u * 50 * 4);  // threads, rounds; lock and unlock begin and end
  expect_one_owner_at_a_time(lock);
}

TEST(RecorderMarks, have_their_object_wherever_a_frame_ends) {  // which is about thirty times
  const Marks marks("threads", "1 30000");
  EXPECT_EQ(marks.of(marks.address("the_lock"), {SyncKind::Lock, SyncKind::Unlock}).size(), 30000u * 4);
  for (const Mark& mark : marks.all()) {
    const bool has_object = mark.event.kind == SyncKind::Lock || mark.event.kind == SyncKind::Unlock;
    if (has_object) {
      EXPECT_NE(mark.event.object, 0u) << mark.event.sequence;
    }
  }
}

TEST(RecorderMarks, of_a_wait_on_a_condition_lie_around_those_of_its_mutex) {
  const Marks marks("threads", "1 1");
  const std::uint64_t lock = marks.address("the_other_lock"), condition = marks.address("the_condition");
  expect_one_owner_at_a_time(marks.of(lock, {SyncKind::Lock, SyncKind::Unlock}));
  EXPECT_EQ(marks.of(condition, {SyncKind::ConditionSignal}).size(), 2u);
  EXPECT_EQ(marks.of(condition, {SyncKind::ConditionBroadcast}).size(), 2u);
  const std::vector<Mark> sleeper = marks.in_thread(2);
  const auto wait = std::find_if(sleeper.begin(), sleeper.end(),
                                 [](const Mark& mark) { return mark.event.kind == SyncKind::ConditionWait; });
  ASSERT_GE(sleeper.end() - wait, 6);
  std::vector<std::pair<SyncKind, bool>> within;
  for (auto mark = wait; mark - wait < 6; ++mark) within.emplace_back(mark->event.kind, mark->event.leaves);
  using enum SyncKind;
  EXPECT_THAT(within, ElementsAre(std::pair(ConditionWait, false), std::pair(Unlock, false), std::pair(Unlock, true),
                                  std::pair(Lock, false), std::pair(Lock, true), std::pair(ConditionWait, true)));
  EXPECT_EQ(wait->event.object, condition);
}

TEST(RecorderMarks, name_the_threads_that_are_created_and_joined) {
  const Marks marks("threads", "3 2");
  std::vector<std::uint64_t> created, joined;
  for (const Mark& mark : marks.in_thread(0)) {
    if (mark.event.kind == SyncKind::ThreadCreate && mark.event.leaves) created.push_back(mark.event.object);
    if (mark.event.kind == SyncKind::ThreadJoin && mark.event.leaves) joined.push_back(mark.event.object);
  }
  EXPECT_THAT(created, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(joined, ElementsAre(1, 2, 3, 4));
  for (std::uint32_t thread = 0; thread < 5; ++thread) {
    const Mark first = marks.in_thread(thread).front();
    EXPECT_EQ(first.event.kind, SyncKind::ThreadStart);
    EXPECT_EQ(first.event.object, 0u);
  }
}

TEST(RecorderMarks, of_open_mp_are_regions_with_one_body_in_every_thread) {
  const Marks marks("regions", "3");
  std::map<SyncKind, int> begun;
  std::map<std::uint32_t, int> bodies;
  for (const Mark& mark : marks.all()) {
    if (mark.event.leaves) continue;
    ++begun[mark.event.kind];
    bodies[mark.thread] += mark.event.kind == SyncKind::RegionBody;
  }
  EXPECT_EQ(begun[SyncKind::Region], 2);
  EXPECT_EQ(bodies, (std::map<std::uint32_t, int>{{0, 2}, {1, 2}, {2, 2}}));
  expect_one_owner_at_a_time(marks.of(marks.address("the_lock"), {SyncKind::Lock, SyncKind::Unlock}));
  EXPECT_EQ(marks.of(marks.address("the_lock"), {SyncKind::Lock}).size(), 2u * 3 * 2);
}

TEST(RecorderMarks, of_open_mp_barriers_have_as_many_enters_as_exits) {
  const Marks marks("regions", "3");
  std::map<std::uint64_t, std::map<std::uint32_t, int>> of_object;  // enters less exits
  for (const Mark& mark : marks.all()) {
    if (mark.event.kind != SyncKind::Barrier) continue;
    if (mark.event.leaves) {
      EXPECT_NE(mark.event.object, 0u) << mark.event.sequence;
    }
    of_object[mark.event.object][mark.thread] += mark.event.leaves ? -1 : 1;
  }
  of_object.erase(0);  // the first thread may end the program just as another has entered its last barrier
  ASSERT_FALSE(of_object.empty());
  for (const auto& [object, threads] : of_object) {
    // All threads found the same object. Its alignment is no sign of it: libgomp takes its pool, with the barrier in
    // it, from malloc, and where that lies depends on the environment.
    ASSERT_EQ(threads.size(), 3u) << object;
    EXPECT_EQ(threads.at(0), 0);
  }
}

TEST(RecorderMarks, are_kept_outside_the_region) {
  const Marks marks("threads", "2 5", {"", {"worker_body"}, 0});
  std::vector<SyncKind> kinds;
  for (const Mark& mark : marks.in_thread(0)) kinds.push_back(mark.event.kind);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), SyncKind::ThreadCreate), 2 * 3);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), SyncKind::ThreadJoin), 2 * 3);
}

TEST(RecorderMarks, of_a_lock_with_a_deadline_exist_if_it_was_got) {
  const Marks marks("deadlines", "4 50");
  const std::vector<Mark> lock = marks.of(marks.address("the_lock"), {SyncKind::Lock, SyncKind::Unlock});
  EXPECT_EQ(lock.size(), 4u * 50 * 4 + 4);  // as of a mutex, and what the first thread held while another was late
  expect_one_owner_at_a_time(lock);
  EXPECT_EQ(marks.in_thread(5).size(), 1u);  // its start
}

// Else a replay gives it to others before its owner has unlocked it for the last time.
TEST(RecorderMarks, of_a_recursive_mutex_exist_for_each_time_that_it_is_taken) {
  const Marks marks("relocks", "");
  int taken = 0, most = 0;
  for (const Mark& mark : marks.of(marks.address("the_recursive_lock"), {SyncKind::Lock, SyncKind::Unlock})) {
    if (mark.event.kind == SyncKind::Lock && mark.event.leaves) ++taken;
    if (mark.event.kind == SyncKind::Unlock && !mark.event.leaves) --taken;
    most = std::max(most, taken);
  }
  EXPECT_EQ(most, 5);
  EXPECT_EQ(taken, 0);
}

TEST(RecorderMarks, of_a_lock_that_is_refused_have_no_end) {
  const Marks marks("relocks", "");
  std::vector<std::pair<SyncKind, bool>> found;
  for (const Mark& mark : marks.of(marks.address("the_checked_lock"), {SyncKind::Lock, SyncKind::Unlock}))
    found.emplace_back(mark.event.kind, mark.event.leaves);
  using enum SyncKind;
  EXPECT_THAT(found, ElementsAre(std::pair(Lock, false), std::pair(Lock, true), std::pair(Lock, false),
                                 std::pair(Unlock, false), std::pair(Unlock, true)));
}

TEST(RecorderMarks, of_a_join_that_may_give_up_exist_if_it_joined) {
  const Marks marks("joins", "");
  std::vector<std::pair<std::uint64_t, bool>> joins;
  for (const Mark& mark : marks.in_thread(0))
    if (mark.event.kind == SyncKind::ThreadJoin) joins.emplace_back(mark.event.object, mark.event.leaves);
  EXPECT_THAT(joins, ElementsAre(std::pair(1, false), std::pair(1, true), std::pair(2, false), std::pair(2, true),
                                 std::pair(3, false), std::pair(3, true)));
}

TEST(RecorderMarks, of_a_try_exist_if_it_got_the_lock) {
  const Marks marks("threads", "1 1");
  const std::vector<Mark> lock = marks.of(marks.address("the_other_lock"), {SyncKind::Lock, SyncKind::Unlock});
  expect_one_owner_at_a_time(lock);
  // The last to have it is the first thread, which gets it, tries in vain, and gives it back.
  std::vector<std::pair<SyncKind, bool>> last;
  for (std::size_t number = lock.size() - 4; number < lock.size(); ++number)
    last.emplace_back(lock[number].event.kind, lock[number].event.leaves);
  using enum SyncKind;
  EXPECT_THAT(last, ElementsAre(std::pair(Lock, false), std::pair(Lock, true), std::pair(Unlock, false),
                                std::pair(Unlock, true)));
}

// Each thread locks one of two, tries the other, and has both 25 times.
TEST(RecorderMarks, of_locks_tell_those_that_were_tried) {
  const Marks marks("tries", "");
  std::map<bool, std::size_t> locks;  // by whether they were tried
  for (const Mark& mark : marks.all())
    if (mark.event.kind == SyncKind::Lock && mark.thread != 0) ++locks[mark.event.tries];
  EXPECT_EQ(locks[true], 2u * 4 * 25);  // calls have two marks
  EXPECT_GE(locks[false], locks[true]);
}

}  // namespace recorder_marks_test
}  // namespace warpfork::x86
