#include "cli/shell_completion.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "unit/test_folder.h"

namespace warpfork::cli {
namespace shell_completion_test {

using ::testing::HasSubstr;

CommandHelp program() {
  const CommandHelp compare{"compare", "several cores", "", "", {{{"--json"}, "FILE", "write it here"}}, {}};
  const CommandHelp run{"run", "a program's run", "", "", {{{"-o", "--out"}, "FILE", "the result"}}, {}};
  const CommandHelp cpu{"cpu", "cores", "", "", {}, {compare}};
  return {"gpu", "simulates", "", "", {{{"--help"}, "", "this"}}, {run, cpu}};
}

/// What bash offers where the cursor is behind these words, of which the last is being typed.
std::string offered(const std::string& words) {
  const std::string file = test_folder() + "/completion";
  std::ofstream(file) << bash_completion(program())
                      << fmt::format("COMP_WORDS=({})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n", words)
                      << "_gpu\necho -n \"${COMPREPLY[*]}\"\n";
  EXPECT_EQ(std::system(fmt::format("bash {} > {}.out", file, file).c_str()), 0);
  std::ostringstream text;
  text << std::ifstream(file + ".out").rdbuf();
  return text.str();
}

TEST(ShellCompletion, offers_commands_where_one_may_stand) {
  EXPECT_EQ(offered("gpu ''"), "run cpu");
  EXPECT_EQ(offered("gpu r"), "run");
  EXPECT_EQ(offered("gpu cpu ''"), "compare");
}

TEST(ShellCompletion, offers_the_options_of_the_command_behind_a_dash) {
  EXPECT_EQ(offered("gpu -"), "--help");
  EXPECT_EQ(offered("gpu run -"), "-o --out");
  EXPECT_EQ(offered("gpu run --out file -"), "-o --out");
  EXPECT_EQ(offered("gpu cpu compare --j"), "--json");
}

TEST(ShellCompletion, leaves_other_words_to_the_names_of_files) { EXPECT_EQ(offered("gpu run pro"), ""); }

TEST(ShellCompletion, quotes_what_zsh_would_read_as_its_own) {
  EXPECT_THAT(zsh_completion(program()), HasSubstr("'run:a program'\\''s run'"));
  EXPECT_THAT(zsh_completion(program()),
              HasSubstr("'gpu run') commands=() options=('-o:the result' '--out:the result') ;;"));
}

}  // namespace shell_completion_test
}  // namespace warpfork::cli
