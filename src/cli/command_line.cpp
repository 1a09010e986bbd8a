#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/wrapped.h"

namespace warpfork::cli {

namespace {

/// Help as CLI11 writes it, within the columns of a terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const std::string description_indent(get_column_width(), ' ');
    std::istringstream help(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string text;
    for (std::string line; std::getline(help, line);) {
      const std::size_t words = line.find_first_not_of(' ');
      if (words == line.npos)
        text += '\n';
      else  // of an option its name is kept in one piece: it may be longer than its column
        text += wrapped(line.substr(words), line.substr(0, words), words == 0 ? "" : description_indent);
    }
    return text;
  }
};

class UsageFormatter final : public HelpFormatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override { return usage_; }

 private:
  std::string usage_;
};

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

/// CLI11 by itself only says that a command is missing. Groups have commands of their own.
void require_known_command(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty() || app.get_require_subcommand_min() == 0 || words[0].starts_with('-')) return;
  if (const CLI::App* command = find_command(app, words[0])) return require_known_command(*command, words.subspan(1));
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({}))  // those of no group are hidden
    if (!command->get_group().empty()) known.push_back(command->get_name());
  throw UsageError(no_such_name("command", words[0], "commands", known));
}

/// CLI11 reads -1 and numbers of more than 64 bits as the largest number.
std::string refusal_of_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = fault == std::errc() && end == text.data() + text.size();
  return is_number ? "" : fmt::format("{} is no number from 0 to {}", text, ~std::uint64_t{0});
}

/// An empty value would pass for an option that was not given: --json "$FILE" where the shell knows no FILE.
std::string refusal_of_emptiness(const std::string& text) {
  return text.empty() ? "an empty value says nothing; name one, or leave the option out" : "";
}

/// A value of its place may be empty, as the arguments of programs may.
CLI::Option* with_value(CLI::Option* option) {
  const bool is_named = !option->get_positional();
  return is_named ? option->check(CLI::Validator(refusal_of_emptiness, "")) : option;
}

/// `help COMMAND` as `COMMAND --help`.
std::vector<std::string> without_help(const CLI::App& app, std::vector<std::string> words) {
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  auto at = words.begin();
  const CLI::App* command = &app;
  while (at != words.end()) {
    const CLI::App* const within = find_command(*command, *at);
    if (within == nullptr && command->get_require_subcommand_min() != 0) return words;  // which run() refuses
    if (within == nullptr) break;
    command = within;
    ++at;
  }
  words.insert(at, "--help");
  return words;
}

/// CLI11 takes the word behind `--json=` for its value. Looks at the options before the first other word.
void require_values(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty()) return;
  if (const CLI::App* command = find_command(app, words[0])) return require_values(*command, words.subspan(1));
  for (std::size_t i = 0; i < words.size() && words[i].starts_with('-'); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) continue;
    if (words[i] == name + '=') throw UsageError(fmt::format("{}: {}", name, refusal_of_emptiness("")));
    if (words[i] == name && option->get_items_expected_max() != 0) ++i;  // its value
  }
}

/// The first option that there is none of, with its nearest; "" if it is another word that was not expected.
std::string unknown_option(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty()) return "";
  if (const CLI::App* command = find_command(app, words[0])) return unknown_option(*command, words.subspan(1));
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.size() < 2 || name[0] != '-' || app.get_option_no_throw(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
    return fmt::format("there is no option {}; nearest: {}", name, fmt::join(nearest_names(name, known), ", "));
  }
  return "";
}

OptionHelp help_of(const CLI::Option& option) {
  OptionHelp help;
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  if (help.names.empty()) help.value = option.get_single_name();
  if (option.get_items_expected_max() != 0 && !help.names.empty())
    help.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
  help.description = option.get_description();
  return help;
}

/// `path`: the words that name the command.
CommandHelp help_of(const CLI::App& app, const std::string& path) {
  CommandHelp help;
  help.name = app.get_name();
  help.summary = app.get_description();
  help.usage = dynamic_cast<const CLI::Formatter&>(*app.get_formatter()).make_usage(&app, path);
  help.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) help.options.push_back(help_of(*option));
  for (const CLI::App* command : app.get_subcommands({}))  // those of no group are hidden
    if (!command->get_group().empty()) help.commands.push_back(help_of(*command, path + " " + command->get_name()));
  return help;
}

}  // namespace

Option& Option::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::help_name(const std::string& name) {
  option_->option_text(name);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::repeatable() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::separated_by_commas() {
  option_->delimiter(',');
  return *this;
}

Option& Option::positive() {
  const auto refusal = [](const std::string& text) -> std::string {  // CLI11's own names the largest double
    return CLI::PositiveNumber(text).empty() ? "" : fmt::format("{} is no number from 1 on", text);
  };
  option_->check(CLI::Validator(refusal, CLI::PositiveNumber.get_description()));
  return *this;
}

Option& Option::within(std::uint64_t least, std::uint64_t most) {
  const CLI::Range range(least, most);  // what it says differs from one version of CLI11 to the next
  const auto refusal = [=](const std::string& text) -> std::string {
    return range(text).empty() ? "" : fmt::format("Value {} not in range {} to {}", text, least, most);
  };
  option_->check(CLI::Validator(refusal, range.get_description()));
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& summary) {
  return Command(*app_->add_subcommand(name, summary));
}

void Command::hidden() { app_->group(""); }
void Command::require_command() { app_->require_subcommand(1); }

Option Command::add_option(const std::string& name, std::string& value, const std::string& description) {
  return Option(*with_value(app_->add_option(name, value, description)));
}

Option Command::add_option(const std::string& name, unsigned& value, const std::string& description) {
  return Option(*app_->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, std::uint64_t& value, const std::string& description) {
  return Option(*app_->add_option(name, value, description)->check(CLI::Validator(refusal_of_number, "")));
}

Option Command::add_option(const std::string& name, std::optional<unsigned>& value, const std::string& description) {
  return Option(*app_->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values, const std::string& description) {
  return Option(*with_value(app_->add_option(name, values, description)));
}

Option Command::add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& description) {
  return Option(*app_->add_option_function<std::string>(name, take, description));
}

void Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  app_->add_flag(name, value, description);
}

void Command::add_flag(const std::string& name, std::string& value, const std::string& description) {
  app_->add_flag(name, value, description);
}

void Command::footer(const std::string& text) { app_->footer(text); }
void Command::usage(const std::string& text) { app_->formatter(std::make_shared<UsageFormatter>(text)); }
void Command::ends_at_first_stranger() { app_->prefix_command(true); }
void Command::ends_at_first_positional() { app_->positionals_at_end(); }

void Command::passes_all_on() {
  app_->prefix_command(true);
  app_->set_help_flag();
}

void Command::when_named(const std::function<void()>& run) { app_->callback(run); }

const std::string& Command::name() const { return app_->get_name(); }

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) names.push_back(option->get_name());
  return names;
}

bool Command::has_option(const std::string& name) const { return app_->get_option_no_throw(name) != nullptr; }

CommandHelp Command::help() const { return help_of(std::as_const(*app_), app_->get_name()); }

std::vector<std::string> Command::rest() const { return app_->remaining(); }

CommandLine::CommandLine(const std::string& description, const std::string& program)
    : app_(std::make_unique<CLI::App>(description, program)) {
  app_->formatter(std::make_shared<HelpFormatter>());  // commands take over their parent's
}

CommandLine::~CommandLine() = default;

Command CommandLine::root() { return Command(*app_); }

void CommandLine::version(const std::string& text) { app_->set_version_flag("--version", text); }

std::vector<std::string> CommandLine::normalised(std::vector<std::string> words) const {
  words = without_help(*app_, std::move(words));
  const CLI::App* const command = words.empty() ? nullptr : find_command(*app_, words[0]);
  if (command == nullptr || !command->get_prefix_command()) return words;
  for (std::size_t i = 1; i < words.size() && words[i].starts_with('-'); ++i) {
    if (words[i] == "--") {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
    const CLI::Option* const option = command->get_option_no_throw(words[i]);
    if (option != nullptr && option->get_items_expected_max() != 0) ++i;  // its value
  }
  return words;
}

void CommandLine::run(const std::vector<std::string>& words) {
  require_known_command(*app_, words);
  try {
    run_within(words);
  } catch (const CLI::ExtrasError& error) {
    const std::string option = unknown_option(*app_, words);
    throw UsageError(option.empty() ? error.what() : option);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) throw UsageError(error.what());
    app_->exit(error);
  }
}

void CommandLine::run_within(const std::vector<std::string>& words) {
  require_values(*app_, words);
  std::vector<std::string> waiting = words;
  std::ranges::reverse(waiting);  // as CLI11 wants them
  app_->parse(std::move(waiting));
}

}  // namespace warpfork::cli
