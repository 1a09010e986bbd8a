#include "simulation/work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "process/deferred_signals.h"
#include "simulation/simulation.h"
#include "unit/test_folder.h"

namespace warpfork::simulation {
namespace work_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

class WorkTest : public ::testing::Test {
 protected:
  WorkTest() {
    options_.program = test_folder() + "/work.ptx";
    options_.launch = test_folder() + "/work.toml";
    std::ofstream(options_.program)
        << ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    std::ofstream(options_.launch) << "kernel = \"nothing\"\ngrid = 1\nblock = 32\n";
  }

  /// A program that would leave a file, was it started.
  void start_instead() {
    options_.program = "sh";
    options_.launch = "";
    options_.arguments = {"-c", "touch " + started_};
    std::filesystem::remove(started_);
  }
  Work work() { return do_work(options_, {}, process::GuestOutput::Captured); }

  /// A kernel of a thousand million steps that is cut off, which is no Error, after ten million cycles.
  void make_long() {
    std::ofstream(options_.program) << ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry nothing() {\n"
                                       "  .reg .u32 %r; .reg .pred %p;\n  mov.u32 %r, 0;\nAGAIN:\n"
                                       "  add.u32 %r, %r, 1;\n  setp.lt.u32 %p, %r, 1000000000;\n"
                                       "  @%p bra AGAIN;\n  ret;\n}\n";
    options_.max_cycles = 10'000'000;
  }

  WorkOptions options_;
  const std::string started_ = test_folder() + "/started";
};

TEST_F(WorkTest, kernels_that_none_is_like_are_an_error_with_the_names_there_are) {
  options_.kernels = "^noth";
  EXPECT_EQ(work().outcome.launches.size(), 1u);
  options_.kernels = "other";
  EXPECT_THAT([&] { work(); }, ThrowsMessage<Error>(AllOf(HasSubstr("--kernels 'other': no such kernel was launched"),
                                                          HasSubstr("\n  launched: nothing"))));
}

/// How the work is refused on a machine of this text.
std::string refusal_of(WorkOptions options, const std::string& text) {
  options.machine = test_folder() + "/work_machine.toml";
  std::ofstream(options.machine) << text;
  try {
    simulation_request(options, {});
  } catch (const Error& error) {
    return std::string(error.what()).substr(test_folder().size());
  }
  return "";
}

// docs/machines.md: such errors name the place, and what is wrong may show only once the whole file is read.
TEST_F(WorkTest, a_machine_that_cannot_be_is_refused_with_the_place_in_its_file) {
  EXPECT_THAT(refusal_of(options_, "cores = 2\n[divergence]\nmechanism = \"tbd\"\n"),
              StartsWith("/work_machine.toml:3:13: error: there is no divergence mechanism 'tbd'"));
  EXPECT_THAT(refusal_of(options_, "[divergence]\npredictor = \"foo\"\n"),
              StartsWith("/work_machine.toml:2:13: error: there is no compaction predictor 'foo'"));
  EXPECT_THAT(refusal_of(options_, "[core]\nscheduler = \"gto\"\nwarps = 4\nschedulers = 5\n"),
              StartsWith("/work_machine.toml:4:14: error: core.schedulers is 5;"));
  EXPECT_THAT(refusal_of(options_, "[core.l1d]\nsets = 3\n"),
              StartsWith("/work_machine.toml:2:8: error: core.l1d.sets is 3; the sets must be a power of two"));
  EXPECT_THAT(refusal_of(options_, "[core.texture]\nsets = 16\nhash_index = true\n"),
              StartsWith("/work_machine.toml:2:8: error: core.texture.sets is 16, and core.texture.hash_index"));
  EXPECT_THAT(refusal_of(options_, "[memory.l2]\nsets = 3\n"),
              StartsWith("/work_machine.toml:2:8: error: memory.l2.sets is 3; the sets must be a power of two"));
  EXPECT_THAT(refusal_of(options_, "[memory.dram]\nbank_groups = 3\n"),
              StartsWith("/work_machine.toml:2:15: error: memory.dram.banks is"));
  EXPECT_THAT(refusal_of(options_, "[energy]\nprices = \"none.toml\"\n"),
              StartsWith("/work_machine.toml:2:10: error: energy.prices: there is no price list"));
}

TEST_F(WorkTest, what_an_option_makes_impossible_has_no_place_in_the_machines_file) {
  options_.overrides = {"divergence.mechanism=tbd"};
  EXPECT_THAT([&] { simulation_request(options_, {}); },
              ThrowsMessage<Error>(StartsWith("error: there is no divergence mechanism 'tbd'")));
  EXPECT_EQ(refusal_of(options_, "cores = 2\n").find("work_machine"), std::string::npos);
}

TEST_F(WorkTest, a_machine_that_cannot_be_is_refused_before_the_program_starts) {
  start_instead();
  for (const auto& [key, reason] :
       {std::pair("cores=65", "from 1 to 64, not 65"),
        std::pair("core.scheduler=fair", "there is no warp scheduler 'fair'"),
        std::pair("core.lanes.organisation=wide", "there is no lane organisation 'wide'"),
        std::pair("core.warps=0", "from 1 to 128"), std::pair("core.l1d.sets=3", "the sets must be a power of two"),
        std::pair("memory.mapping.channels=0", "from 1 to 64"),
        std::pair("memory.interconnect.output_buffer=1", "nothing would ever arrive"),
        std::pair("memory.l2.fill_queue=0", "from 1 to 4096"), std::pair("memory.dram.burst_bytes=0", "from 1 to 4096"),
        std::pair("core.collector.memory_units=33", "from 1 to 32"),
        std::pair("core.collector.memory_units=32", "at most 32 units"),
        std::pair("core.execution.simple.latency=4294967295", "from 1 to 1021"),
        std::pair("core.execution.int_add.interval=65536", "from 1 to 1021")}) {
    options_.overrides = {key};
    EXPECT_THAT([&] { work(); }, ThrowsMessage<Error>(HasSubstr(reason))) << key;
  }
  EXPECT_FALSE(std::filesystem::exists(started_));
  options_.overrides = {"cores=64"};
  EXPECT_THROW(work(), Error);  // the program is none of CUDA's; but it did start
  EXPECT_TRUE(std::filesystem::exists(started_));
}

TEST_F(WorkTest, a_sample_that_cannot_be_is_refused_before_the_program_starts) {
  start_instead();
  options_.sample.share = 0.3;
  options_.overrides = {"divergence.mechanism=capri", "divergence.predictor=oracle"};
  EXPECT_THAT([&] { work(); }, ThrowsMessage<Error>(HasSubstr("--sample: capri with the predictor oracle")));
  EXPECT_FALSE(std::filesystem::exists(started_));
}

TEST_F(WorkTest, a_kernel_ends_when_a_signal_has_come_that_is_held_back) {
  make_long();
  const process::DeferredSignals signals;
  raise(SIGTERM);
  EXPECT_THAT([&] { work(); }, ThrowsMessage<Error>("interrupted"));
  int taken = 0;
  sigwait(&signals.deferred(), &taken);
}

}  // namespace work_test
}  // namespace warpfork::simulation
