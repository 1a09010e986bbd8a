// The command `plot`: its files, and what it refuses. What is drawn is tested in unit/plot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "process/find_program.h"
#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace plot_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// Of the kernel `number` under a mechanism.
std::string result_under(const std::string& mechanism) {
  const std::string file = test_folder() + "/" + mechanism + ".json";
  invoke("run --divergence " + mechanism + " --json " + file + " " + number_kernel() + " --launch " + number_launch());
  return file;
}

void plot(const std::vector<std::string>& words) {
  CommandLine line("", "warpfork");
  Command root = line.root();
  Session session;
  add_plot(root, session);
  session.words = words;
  line.run(words);
}

TEST(Plot, draws_results_of_runs_over_the_baseline_that_was_asked_for) {
  if (process::find_program("gnuplot").empty()) GTEST_SKIP() << "there is no gnuplot: apt install gnuplot-nox";
  const std::string picture = test_folder() + "/speed-up.svg";
  const std::string first = result_under("pdom"), second = result_under("dual-path");  // captures the output itself
  testing::internal::CaptureStdout();
  plot({"plot", first, second, "--baseline", "dual-path", "-o", picture});
  EXPECT_THAT(testing::internal::GetCapturedStdout(), StartsWith(picture));
  EXPECT_THAT(config::read_text(test_folder() + "/speed-up.dat"), HasSubstr("speed-up over dual-path"));
  EXPECT_THAT(config::read_text(picture), HasSubstr("pdom"));
}

TEST(Plot, refuses_what_it_cannot_draw) {
  const std::string result = result_under("pdom");
  const auto refuses = [&](const std::vector<std::string>& options, const std::string& why) {
    std::vector<std::string> words = {"plot", result};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_THAT([&] { plot(words); }, ThrowsMessage<Error>(HasSubstr(why)));
  };
  refuses({"--baseline", "tbc"}, "--baseline tbc");
  refuses({"--kind", "pie"}, "--kind pie");
  refuses({"--kind", "stalls", "--x", "cores"}, "--x cores: goes with --kind sweep, not with stalls");
  refuses({"--quantity", "cycles"}, "--quantity cycles: goes with --kind interval and sweep, not with speedup");
  refuses({"--quantity", "ipc"}, "--quantity ipc: goes with --kind interval and sweep, not with speedup");
  refuses({"--width", "19"}, "20 to 1000 mm");
  refuses({"-o", "a.png"}, "FILE.svg or FILE.pdf");
  refuses({"-o", "/none/a.svg", "--kind", "stalls"}, "there is no folder");
}

}  // namespace plot_test
}  // namespace warpfork::cli
