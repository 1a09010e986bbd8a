// What is noted of a sweep's runs.
#include "sweep/sweep_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace sweep_runs_test {

using testing::ElementsAre;
using testing::IsEmpty;

report::Json failure(const std::string& cause) { return Failure{cause, "it failed"}.document(nullptr); }

/// All of its jobs end at once as a signal to everybody ends them: the first dies of it, the second catches it and
/// tells a failure, the third was done.
class InterruptedEngine final : public Engine {
 public:
  explicit InterruptedEngine(const ResultFolder& results) : results_(results) {}

  void submit(std::vector<Job>) override {}
  std::vector<JobEnd> wait(std::chrono::milliseconds) override {
    raise(SIGTERM);
    results_.keep_failure("b", failure("exit"));
    return {{0, {128 + SIGTERM, SIGTERM}}, {1, {1, 0}}, {2, {0, 0}}};
  }
  void cancel() override {}

 private:
  const ResultFolder& results_;
};

TEST(SweepRuns, what_died_when_a_signal_came_is_as_it_was) {
  ResultFolder results(test_folder() + "/interrupted");
  results.take();
  results.keep_failure("d", failure("error"));
  RunHistory history(results.times());
  std::vector<IdentifiedPoint> points(4);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].id = std::string(1, static_cast<char>('a' + i));
  PointList list = list_points(points, results);
  const process::DeferredSignals signals;
  InterruptedEngine engine(results);
  SweepRuns runs(list, results, history);
  runs.submit({0, 1, 2, 3}, engine);
  runs.collect(engine, signals);
  int taken = 0;
  sigwait(&signals.deferred(), &taken);
  EXPECT_THAT(list.states,
              ElementsAre(PointState::Missing, PointState::Missing, PointState::There, PointState::Failed));
  EXPECT_THAT(results.failures(), ElementsAre("d"));
}

}  // namespace sweep_runs_test
}  // namespace warpfork::sweep
