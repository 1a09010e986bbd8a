#include "sweep/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "base/error.h"
#include "process/deferred_signals.h"
#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace side_by_side_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class SideBySideTest : public ::testing::Test {
 protected:
  SideBySideTest() {
    options_.program = test_folder() + "/work.ptx";
    options_.launch = test_folder() + "/work.toml";
    options_.divergences = {"pdom", "multi-path"};
    options_.jobs = 2;
    write("ret;");
    std::ofstream(options_.launch) << "kernel = \"work\"\ngrid = 1\nblock = 32\n";
  }

  void write(const std::string& body) const {
    std::ofstream(options_.program) << ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry work() {\n"
                                    << body << "\n}\n";
  }

  simulation::WorkOptions options_;
};

TEST_F(SideBySideTest, each_mechanism_runs_once_in_the_order_given) {
  options_.lanes = {"simt", "tsimt"};
  const SideBySide compared = compare_mechanisms(options_);
  std::vector<std::string> names;
  for (const auto& [name, work] : compared.works) {
    names.push_back(name);
    EXPECT_EQ(work.outcome.launches.size(), 1u) << name;
  }
  EXPECT_THAT(names, ElementsAre("pdom simt", "pdom tsimt", "multi-path simt", "multi-path tsimt"));
}

TEST(SideBySide, outputs_that_differ_are_an_error_but_for_numbers_that_may) {
  SideBySide compared;
  EXPECT_NO_THROW(compared.require_same_output(false));
  compared.difference = {"1 s, 2 s", true};
  EXPECT_THAT([&] { compared.require_same_output(false); }, ThrowsMessage<Error>(HasSubstr("--numbers-may-differ")));
  EXPECT_NO_THROW(compared.require_same_output(true));
  compared.difference->is_of_numbers = false;
  EXPECT_THAT([&] { compared.require_same_output(true); }, ThrowsMessage<Error>("1 s, 2 s"));
}

TEST_F(SideBySideTest, what_it_would_not_heed_is_refused) {
  options_.lines = true;
  EXPECT_THAT([&] { compare_mechanisms(options_); }, ThrowsMessage<Error>(HasSubstr("--lines is of `run`")));
  options_.lines = false;
  options_.threads = 2;
  EXPECT_THAT([&] { compare_mechanisms(options_); }, ThrowsMessage<Error>(HasSubstr("--threads is of `run`")));
}

TEST_F(SideBySideTest, what_stopped_the_first_run_that_failed_is_told_with_its_mechanism) {
  write(".reg .u32 %r; ld.global.u32 %r, [16]; ret;");
  EXPECT_THAT([&] { compare_mechanisms(options_); },
              ThrowsMessage<Error>(AllOf(HasSubstr("under 'pdom': "), HasSubstr("at 0x10 is out of bounds"))));
}

TEST_F(SideBySideTest, runs_that_a_limit_ended_are_there_and_named) {
  write(".reg .u32 %r; AGAIN: add.u32 %r, %r, 1; bra AGAIN;");
  options_.max_cycles = 900;
  const SideBySide compared = compare_mechanisms(options_);
  EXPECT_EQ(compared.works.size(), 2u);
  EXPECT_FALSE(compared.difference);
  EXPECT_EQ(compared.document()["results"][1]["launches"][0]["cut_off"], true);
  EXPECT_THAT([&] { compared.require_whole(); },
              ThrowsMessage<Error>(AllOf(HasSubstr("under 'pdom': "), HasSubstr("\nunder 'multi-path': "))));
}

TEST_F(SideBySideTest, a_run_that_was_killed_is_told_with_its_mechanism) {
  options_.program = "sh";
  options_.launch = "";
  options_.arguments = {"-c", "kill -KILL $PPID; exec sleep 30"};
  EXPECT_THAT([&] { compare_mechanisms(options_); },
              ThrowsMessage<Error>(HasSubstr("under 'pdom': the run was ended by signal 9 (Killed)")));
}

TEST_F(SideBySideTest, all_end_when_a_signal_has_come_that_is_held_back) {
  write(".reg .u32 %r; AGAIN: add.u32 %r, %r, 1; bra AGAIN;");
  const process::DeferredSignals signals;
  raise(SIGTERM);
  EXPECT_TRUE(compare_mechanisms(options_).works.empty());
  int taken = 0;
  sigwait(&signals.deferred(), &taken);
  EXPECT_EQ(taken, SIGTERM);
}

}  // namespace side_by_side_test
}  // namespace warpfork::sweep
