#include "gpu/issue_census.h"

#include <gtest/gtest.h>

namespace warpfork::gpu {
namespace issue_census_test {

using report::StallCause;

/// What is told of core 3.
struct Listener final : report::LaunchListener {
  explicit Listener(bool observes) : observes_(observes) {}
  void scheduled(const report::SchedulerCycles& told) override { sum = told; }
  void stalled(report::Stamp at, StallCause, Cycle cycles) override { stalls += at.core * 100 + at.unit * 10 + cycles; }
  void occupied(report::Stamp at, unsigned live_warps, Cycle cycles) override {
    warps += at.core * live_warps * cycles;
  }
  bool observes_stalls() const override { return observes_; }

  report::SchedulerCycles sum;
  Cycle stalls = 0, warps = 0;

 private:
  bool observes_;
};

IssueCensus two_cycles(Listener& listener) {
  IssueCensus census;
  census.begin_kernel(3, listener);
  census.stalled(1, StallCause::Memory, 40, 2);
  census.occupied(5, 40, 1, false);
  census.occupied(4, 41, 1, true);
  return census;
}

TEST(IssueCensus, tells_sums_once) {
  Listener listener(false);
  IssueCensus census = two_cycles(listener);
  census.report();
  EXPECT_EQ(listener.sum.stalls[static_cast<unsigned>(StallCause::Memory)], 2u);
  EXPECT_EQ(listener.sum.warps, 9u);
  EXPECT_EQ(listener.sum.cycles, 2u);
  EXPECT_EQ(listener.sum.idle, 1u);
  census.report();
  EXPECT_EQ(listener.sum.cycles, 0u);
}

TEST(IssueCensus, tells_of_each_to_who_observes_them) {
  Listener deaf(false), observer(true);
  two_cycles(deaf);
  two_cycles(observer);
  EXPECT_EQ(deaf.stalls + deaf.warps, 0u);
  EXPECT_EQ(observer.stalls, 300u + 10 + 2);
  EXPECT_EQ(observer.warps, 3u * 9);
}

}  // namespace issue_census_test
}  // namespace warpfork::gpu
