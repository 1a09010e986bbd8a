#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/cli/invocation.h"

namespace warpfork::cli {
namespace command_line_test {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(CommandLine, takes_an_option_with_its_value_behind_a_blank_or_an_equals_sign) {
  for (const char* words : {"--name it", "--name=it"}) {
    CommandLine line;
    std::string name;
    line.root().add_option("--name", name, "");
    line.run(words_of(words));
    EXPECT_EQ(name, "it") << words;
  }
}

TEST(CommandLine, refuses_an_option_whose_value_is_empty_and_takes_no_other_word_for_it) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"it", "--json", "", "k"}, {"it", "--json=", "k"}, {"it", "--set", ""}}) {
    CommandLine line;
    Command command = line.root().add_command("it", "");
    std::string json, file;
    std::vector<std::string> keys;
    command.add_option("--json", json, "");
    command.add_option("--set", keys, "").repeatable();
    command.add_option("FILE", file, "");
    EXPECT_THAT([&] { line.run(words); }, ThrowsMessage<UsageError>(HasSubstr("an empty value"))) << words.size();
  }
}

TEST(CommandLine, leaves_empty_words_to_the_program_that_they_are_of) {
  CommandLine line;
  Command command = line.root().add_command("it", "");
  std::vector<std::string> words;
  command.add_option("PROGRAM", words, "");
  command.ends_at_first_positional();
  line.run({"it", "./bfs", "", "--json="});
  EXPECT_THAT(words, ElementsAre("./bfs", "", "--json="));
}

TEST(CommandLine, refuses_values_that_are_no_numbers_of_their_kind) {
  for (const char* words : {"--count x", "--count -1", "--count 1.5", "--count 4294967296", "--count"}) {
    CommandLine line;
    unsigned count = 7;
    line.root().add_option("--count", count, "");
    EXPECT_THAT([&] { line.run(words_of(words)); }, ThrowsMessage<UsageError>(HasSubstr("--count"))) << words;
  }
}

TEST(CommandLine, takes_the_largest_number_of_64_bits_and_none_above) {
  CommandLine line;
  std::uint64_t number = 0;
  line.root().add_option("--number", number, "");
  line.run({"--number", "18446744073709551615"});
  EXPECT_EQ(number, ~std::uint64_t{0});
  EXPECT_THROW(line.run({"--number", "18446744073709551616"}), UsageError);
}

TEST(CommandLine, leaves_what_is_not_named) {
  CommandLine line;
  std::optional<unsigned> image;
  unsigned count = 7;
  line.root().add_option("--image", image, "");
  line.root().add_option("--count", count, "");
  line.run({});
  EXPECT_FALSE(image);
  EXPECT_EQ(count, 7u);
}

TEST(CommandLine, holds_numbers_to_their_range_at_both_ends) {
  CommandLine line;
  unsigned count = 0;
  line.root().add_option("--count", count, "").within(2, 4);
  for (const char* good : {"2", "4"}) EXPECT_NO_THROW(line.run({"--count", good})) << good;
  for (const char* bad : {"1", "5"})
    EXPECT_THAT(
        [&] {
          line.run({"--count", bad});
        },
        ThrowsMessage<UsageError>(AllOf(HasSubstr("--count"), HasSubstr("2 to 4"))));
}

TEST(CommandLine, holds_a_positive_number_to_be_above_zero) {
  CommandLine line;
  unsigned count = 0;
  line.root().add_option("--count", count, "").positive();
  EXPECT_NO_THROW(line.run({"--count", "1"}));
  EXPECT_THAT([&] { line.run({"--count", "0"}); }, ThrowsMessage<UsageError>("--count: 0 is no number from 1 on"));
}

TEST(CommandLine, gathers_a_repeatable_option_and_takes_no_word_behind_it) {
  CommandLine line;
  std::vector<std::string> keys;
  std::string file;
  line.root().add_option("--set", keys, "").repeatable();
  line.root().add_option("FILE", file, "");
  line.run(words_of("--set a=1 it --set b=2"));
  EXPECT_THAT(keys, ElementsAre("a=1", "b=2"));
  EXPECT_EQ(file, "it");
}

TEST(CommandLine, parts_a_list_at_its_commas) {
  CommandLine line;
  std::vector<std::string> names;
  line.root().add_option("--names", names, "").separated_by_commas().repeatable();
  line.run(words_of("--names a,b --names=c"));
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

TEST(CommandLine, asks_for_what_is_required_by_name) {
  CommandLine line;
  std::string file;
  line.root().add_option("FILE", file, "").required();
  EXPECT_THAT([&] { line.run({}); }, ThrowsMessage<UsageError>(HasSubstr("FILE is required")));
}

TEST(CommandLine, a_flag_is_set_or_has_a_value_of_its_own) {
  for (const auto& [word, expected] : {std::pair{"--ptx", "-"}, std::pair{"--ptx=f", "f"}}) {
    CommandLine line;
    std::string ptx;
    bool dot = false;
    line.root().add_flag("--ptx{-}", ptx, "");
    line.root().add_flag("--dot", dot, "");
    line.run({word, "--dot"});
    EXPECT_EQ(ptx, expected);
    EXPECT_TRUE(dot);
  }
}

TEST(CommandLine, calls_the_command_that_is_named_and_no_other) {
  CommandLine line;
  std::string called;
  for (const char* name : {"first", "second"})
    line.root().add_command(name, "").when_named([&called, name] { called += name; });
  line.run({"second"});
  EXPECT_EQ(called, "second");
}

TEST(CommandLine, names_the_nearest_of_the_commands_it_knows) {
  CommandLine line;
  Command root = line.root();
  root.require_command();
  for (const char* name : {"run", "compare", "explain"}) root.add_command(name, "");
  EXPECT_THAT([&] { line.run({"compar"}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("compar"), HasSubstr("compare"))));
  EXPECT_THROW(line.run({}), UsageError);
}

TEST(CommandLine, offers_no_command_that_is_hidden) {
  CommandLine line;
  Command root = line.root();
  root.require_command();
  root.add_command("compare", "");
  root.add_command("contestant", "").hidden();
  EXPECT_THAT([&] { line.run({"contest"}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("compare"), Not(HasSubstr("contestant")))));
}

TEST(CommandLine, leaves_all_words_from_the_first_stranger_on) {
  CommandLine line;
  Command root = line.root();
  std::string name;
  root.add_option("--name", name, "");
  root.ends_at_first_stranger();
  line.run(words_of("--name a ./bfs --name b"));
  EXPECT_EQ(name, "a");
  EXPECT_THAT(root.rest(), ElementsAre("./bfs", "--name", "b"));
}

TEST(CommandLine, gives_all_words_behind_the_first_positional_to_it) {
  CommandLine line;
  Command root = line.root();
  unsigned count = 0;
  std::vector<std::string> program;
  root.add_option("--count", count, "");
  root.add_option("PROGRAM", program, "").required();
  root.ends_at_first_positional();
  line.run(words_of("--count 3 ./bfs --count 4 x"));
  EXPECT_EQ(count, 3u);
  EXPECT_THAT(program, ElementsAre("./bfs", "--count", "4", "x"));
}

TEST(CommandLine, passes_everything_on_where_all_words_are_anothers) {
  CommandLine line;
  Command cc = line.root().add_command("cc", "");
  cc.passes_all_on();
  line.run(words_of("cc --help -O2 x.cu"));
  EXPECT_THAT(cc.rest(), ElementsAre("--help", "-O2", "x.cu"));
}

TEST(CommandLine, drops_the_separator_before_a_program_and_no_later_one) {
  CommandLine line;
  Command run = line.root().add_command("run", "");
  std::string machine;
  run.add_option("--machine", machine, "");
  run.ends_at_first_stranger();
  const auto kept = [&](const char* words) { return line.normalised(words_of(words)); };
  EXPECT_THAT(kept("run --machine m -- ./bfs"), ElementsAre("run", "--machine", "m", "./bfs"));
  EXPECT_THAT(kept("run ./bfs -- x"), ElementsAre("run", "./bfs", "--", "x"));
  EXPECT_THAT(kept("run --machine -- ./bfs"), ElementsAre("run", "--machine", "--", "./bfs")) << "a value";
  EXPECT_THAT(kept("walk -- x"), ElementsAre("walk", "--", "x"));
  EXPECT_THAT(kept(""), IsEmpty());
}

TEST(CommandLine, knows_the_options_that_were_described) {
  CommandLine line;
  Command root = line.root();
  std::string name;
  root.add_option("--name", name, "");
  EXPECT_TRUE(root.has_option("--name"));
  EXPECT_FALSE(root.has_option("--nam"));
  EXPECT_THAT(root.option_names(), testing::Contains("--name"));
}

TEST(CommandLine, prints_help_and_version_in_place_of_running) {
  for (const auto& [word, text] : {std::pair{"--help", "what it is called"}, std::pair{"--version", "it 1.2"}}) {
    CommandLine line("", "it");
    std::string name;
    bool ran = false;
    line.root().add_option("--name", name, "what it is called").required();
    line.root().when_named([&] { ran = true; });
    line.version("it 1.2");
    testing::internal::CaptureStdout();
    line.run({word});
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr(text));
    EXPECT_FALSE(ran);
  }
}

TEST(CommandLine, help_shows_usage_default_and_value_name_as_they_were_given) {
  CommandLine line("", "it");
  Command root = line.root();
  std::string machine = "gtx480";
  root.add_option("--machine", machine, "the machine").value_name("NAME").shows_default();
  root.usage("Usage: it [OPTIONS] PROGRAM\n");
  root.footer("See also.");
  testing::internal::CaptureStdout();
  line.run({"--help"});
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("Usage: it [OPTIONS] PROGRAM"),
                    AnyOf(HasSubstr("--machine NAME=gtx480"), HasSubstr("--machine NAME [gtx480]")),  // CLI11 2.1, 2.4
                    HasSubstr("See also.")));
}

TEST(CommandLine, refuses_an_option_that_is_named_twice_but_for_lists) {
  CommandLine line;
  std::string name;
  line.root().add_option("--name", name, "");
  EXPECT_THAT([&] { line.run(words_of("--name a --name b")); }, ThrowsMessage<UsageError>(HasSubstr("--name")));
}

TEST(CommandLine, calls_a_taker_with_the_value_as_it_stands) {
  CommandLine line;
  std::string taken;
  line.root().add_option(
      "--warp", [&](const std::string& word) { taken = word; }, "");
  line.run(words_of("--warp 1,2,0.3"));
  EXPECT_EQ(taken, "1,2,0.3");
}

TEST(CommandLine, an_option_may_have_a_short_name_and_a_flag_has_no_value) {
  CommandLine line;
  std::string output;
  bool dot = false;
  line.root().add_option("-o,--output", output, "");
  line.root().add_flag("--dot", dot, "");
  line.run(words_of("-o f"));
  EXPECT_EQ(output, "f");
  EXPECT_FALSE(dot);
  EXPECT_THAT([&] { line.run(words_of("--dot=maybe")); }, ThrowsMessage<UsageError>(HasSubstr("--dot")));
}

TEST(CommandLine, commands_of_a_group_are_known_by_their_group) {
  CommandLine line;
  Command root = line.root();
  root.require_command();
  Command group = root.add_command("cpu", "");
  group.require_command();
  std::string called;
  group.add_command("compare", "").when_named([&] { called = "compare"; });
  line.run({"cpu", "compare"});
  EXPECT_EQ(called, "compare");
  EXPECT_THAT(
      [&] {
        line.run({"cpu", "compar"});
      },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("there is no command 'compar'"), HasSubstr("compare"))));
  EXPECT_THROW(line.run({"compare"}), UsageError) << "it has no place of its own";
}

TEST(CommandLine, a_group_alone_is_no_command) {
  CommandLine line;
  Command group = line.root().add_command("cpu", "");
  group.require_command();
  group.add_command("compare", "");
  EXPECT_THROW(line.run({"cpu"}), UsageError);
}

}  // namespace command_line_test
}  // namespace warpfork::cli
