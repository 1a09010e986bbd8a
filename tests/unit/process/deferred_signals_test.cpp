#include "process/deferred_signals.h"

#include <gtest/gtest.h>

#include <csignal>

namespace warpfork::process {
namespace deferred_signals_test {

TEST(DeferredSignals, take_no_notice_of_a_signal_that_the_process_ignores) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    const auto before = std::signal(signal, SIG_IGN);  // as nohup does
    {
      const DeferredSignals signals;
      std::raise(signal);
      EXPECT_FALSE(signals.came()) << signal;
    }
    std::signal(signal, before);
  }
}

TEST(DeferredSignals, hold_back_a_signal_until_the_last_of_them_goes) {
  static volatile std::sig_atomic_t came = 0;
  const auto before = std::signal(SIGHUP, [](int) { came = 1; });
  {
    const DeferredSignals signals;
    std::raise(SIGHUP);
    EXPECT_TRUE(signals.came());
    EXPECT_EQ(came, 0);
  }
  EXPECT_EQ(came, 1);
  std::signal(SIGHUP, before);
}

}  // namespace deferred_signals_test
}  // namespace warpfork::process
