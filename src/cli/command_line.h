// What a command line may consist of: commands, their options and flags. CLI11, which reads it, stands behind
// command_line.cpp alone: its headers cost every source that includes them seconds of compilation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_help.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warpfork::cli {

/// The command line is not one of ours. what() says why, without the hint at --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option while it is described; each call returns it. It belongs to its command line.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  /// What stands for its value in the help.
  Option& value_name(const std::string& name);
  /// What stands for the whole of it in the help.
  Option& help_name(const std::string& name);
  Option& required();
  Option& shows_default();
  /// Of a list: each time it is named it takes one value more.
  Option& repeatable();
  /// Of a list: its values stand in one word.
  Option& separated_by_commas();
  Option& positive();
  Option& within(std::uint64_t least, std::uint64_t most);

 private:
  CLI::Option* option_;
};

/// A command while it is described. It belongs to its command line; the values that options are written to must live as
/// long.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_command(const std::string& name, const std::string& summary);
  /// It is not listed: a user does not type it.
  void hidden();
  void require_command();
  /// An option if `name` begins with a dash, else the value of that place.
  Option add_option(const std::string& name, std::string& value, const std::string& description);
  Option add_option(const std::string& name, unsigned& value, const std::string& description);
  Option add_option(const std::string& name, std::uint64_t& value, const std::string& description);
  Option add_option(const std::string& name, std::optional<unsigned>& value, const std::string& description);
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& description);
  /// `take` is called with the value.
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& description);
  void add_flag(const std::string& name, bool& value, const std::string& description);
  /// "--ptx{-}": the value is "-", or the text that follows an equals sign.
  void add_flag(const std::string& name, std::string& value, const std::string& description);

  void footer(const std::string& text);
  /// The help's first lines, where CLI11 cannot know them: "Usage: …".
  void usage(const std::string& text);
  /// Its own words end at the first one that is no option of it: see rest().
  void ends_at_first_stranger();
  /// The same, but at the first positional value, which takes what follows.
  void ends_at_first_positional();
  /// Every word is another program's, --help too.
  void passes_all_on();
  /// Called once when the command line is read and names the command.
  void when_named(const std::function<void()>& run);

  const std::string& name() const;
  std::vector<std::string> option_names() const;
  bool has_option(const std::string& name) const;
  /// What its help says, and that of the commands within it.
  CommandHelp help() const;
  /// The words that were not its own.
  std::vector<std::string> rest() const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  explicit CommandLine(const std::string& description = "", const std::string& program = "");
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// What stands before any command.
  Command root();
  void version(const std::string& text);
  /// The words as run() takes them: `help COMMAND` is `COMMAND --help`, and there is no `--` before PROGRAM, as many
  /// type it: CLI11 gives what follows to the main program, which knows nothing of it.
  std::vector<std::string> normalised(std::vector<std::string> words) const;
  /// Reads the words behind the program's name and runs the command that they name. Prints help or version instead if
  /// they ask for it. Throws UsageError, and whatever the command throws.
  void run(const std::vector<std::string>& words);
  /// The same within a command of another command line, which then prints the help and throws the UsageError.
  void run_within(const std::vector<std::string>& words);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace warpfork::cli
