#include "process/captured_run.h"

#include <gtest/gtest.h>

#include <csignal>

namespace warpfork::process {
namespace captured_run_test {

using namespace std::chrono_literals;

ChildCommand shell(const std::string& script) { return {"sh", {"-c", script}, {}, {}}; }

TEST(CapturedRun, tells_what_was_said_and_how_it_ended) {
  const DeferredSignals signals;
  const CapturedRun run = run_captured(shell("echo said; echo complained >&2; exit 3"), signals, 60s);
  EXPECT_EQ(run.output, "said\n");
  EXPECT_EQ(run.errors, "complained\n");
  EXPECT_EQ(run.end.status, 3);
  EXPECT_TRUE(run.was_in_time);
}

TEST(CapturedRun, is_killed_when_its_time_is_over) {
  const DeferredSignals signals;
  const CapturedRun run = run_captured(shell("exec sleep 1000"), signals, 10ms);
  EXPECT_FALSE(run.was_in_time);
  EXPECT_EQ(run.end.signal, SIGKILL);
}

TEST(CapturedRun, is_killed_by_a_signal_that_comes_meanwhile_but_not_by_an_earlier_one) {
  const DeferredSignals signals;
  const CapturedRun interrupted = run_captured(shell("kill -TERM $PPID; exec sleep 1000"), signals, 60s);
  EXPECT_EQ(interrupted.end.signal, SIGKILL);
  EXPECT_TRUE(interrupted.was_in_time);
  EXPECT_EQ(run_captured(shell("exit 0"), signals, 60s).end.status, 0);
  int taken = 0;
  sigwait(&signals.deferred(), &taken);
  EXPECT_EQ(taken, SIGTERM);
}

}  // namespace captured_run_test
}  // namespace warpfork::process
