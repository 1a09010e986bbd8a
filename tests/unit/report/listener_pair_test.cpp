#include "report/listener_pair.h"

#include <gtest/gtest.h>

#include <string>

#include "report/launch_statistics.h"

namespace warpfork::report {
namespace listener_pair_test {

class Diary final : public LaunchListener {
 public:
  Diary(std::string& text, char name, bool of_lanes) : text_(text), name_(name), of_lanes_(of_lanes) {}
  void branched(const BranchEvent& event) override { text_ += name_ + std::to_string(event.pc) + ' '; }
  void stalled(Stamp at, StallCause, Cycle cycles) override {
    text_ += name_ + std::to_string(at.unit) + 'x' + std::to_string(cycles) + ' ';
  }
  void lane_entered(const LaneEvent& event) override {
    text_ += name_ + std::string("l") + std::to_string(event.lane) + ' ';
  }
  bool observes_lanes(unsigned) const override { return of_lanes_; }
  bool observes_stalls() const override { return true; }

 private:
  std::string& text_;
  const char name_;
  const bool of_lanes_;
};

TEST(ListenerPair, both_hear_the_first_one_first) {
  std::string text;
  Diary a(text, 'a', false), b(text, 'b', false);
  ListenerPair pair(a, b);
  pair.branched({0, 0, 7, 1});
  pair.stalled({10, 0, 1}, StallCause::Fetch, 3);
  EXPECT_EQ(text, "a7 b7 a1x3 b1x3 ");
}

TEST(ListenerPair, only_who_wants_to_hear_of_lanes_does) {
  std::string text;
  Diary a(text, 'a', false), b(text, 'b', true);
  ListenerPair pair(a, b), neither(a, a);
  EXPECT_TRUE(pair.observes_lanes(0));
  EXPECT_FALSE(neither.observes_lanes(0));
  pair.lane_entered({{}, 5, ActiveMask(1), nullptr});
  EXPECT_EQ(text, "bl5 ");
}

class IssueDiary final : public LaunchListener {
 public:
  void issued(const IssueEvent& event) override { last_ = event.pc; }
  bool observes_issues() const override { return true; }
  Pc last() const { return last_; }

 private:
  Pc last_ = 0;
};

TEST(ListenerPair, hears_of_each_instruction_if_one_of_the_two_does) {
  LaunchListener deaf;
  IssueDiary diary;
  ListenerPair pair(deaf, diary), neither(deaf, deaf);
  EXPECT_TRUE(pair.observes_issues());
  EXPECT_FALSE(neither.observes_issues());
  IssueEvent event;
  event.pc = 7;
  pair.issued(event);
  EXPECT_EQ(diary.last(), 7u);
}

class CycleDiary final : public LaunchListener {
 public:
  void cycled(Stamp at, const gpu::Core&) override { last_ = at.cycle; }
  bool observes_cycles() const override { return true; }
  Cycle last() const { return last_; }

 private:
  Cycle last_ = 0;
};

TEST(ListenerPair, hears_of_cycles_if_one_of_the_two_wants_to) {
  std::string text;
  Diary diary(text, 'd', false);
  CycleDiary cycles;
  EXPECT_FALSE(ListenerPair(diary, diary).observes_cycles());
  EXPECT_TRUE(ListenerPair(diary, cycles).observes_cycles());
  EXPECT_TRUE(ListenerPair(cycles, diary).observes_cycles());
}

TEST(ListenerPair, another_listener_hears_of_every_core_beside_the_statistics) {
  std::string text;
  Diary diary(text, 'd', false);
  LaunchStatistics statistics(4, 2, 1, &diary);
  for (const unsigned core : {0u, 1u}) {
    statistics.of_core(core).block_started({{}, 1, {}});
    statistics.of_core(core).stalled({0, core, core}, StallCause::Memory, 2);
    SchedulerCycles sum;
    sum.stalls[static_cast<unsigned>(StallCause::Memory)] = 2;
    statistics.of_core(core).scheduled(sum);
  }
  LaunchRecord record;
  record.timed = true;
  statistics.fill(record);
  EXPECT_EQ(text, "d0x2 d1x2 ");
  EXPECT_EQ(record.stalls[static_cast<unsigned>(StallCause::Memory)], 4u);
}

}  // namespace listener_pair_test
}  // namespace warpfork::report
