// The program `warpfork`: chooses the command, and is the one place where errors end.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "process/version.h"

namespace {

constexpr int kUsageError = 2;

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

/// CLI11 by itself only says that a command is missing.
void require_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-') || find_command(app, word) != nullptr) return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  throw CLI::ValidationError(warpfork::no_such_name("command", word, "commands", known));
}

/// `--` before PROGRAM, as many type it: CLI11 gives what follows to the main program, which knows nothing of it.
void drop_separator(const CLI::App& app, std::vector<std::string>& arguments) {
  if (arguments.empty()) return;
  const CLI::App* const command = find_command(app, arguments[0]);
  if (command == nullptr || !command->get_prefix_command()) return;
  for (std::size_t i = 1; i < arguments.size() && arguments[i].starts_with('-'); ++i) {
    if (arguments[i] == "--") {
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    const CLI::Option* const option = command->get_option_no_throw(arguments[i]);
    if (option != nullptr && option->get_items_expected_max() != 0) ++i;  // its value
  }
}

int run(int argc, char** argv) {
  namespace cli = warpfork::cli;
  CLI::App app("warpfork simulates GPUs and CPU cores that differ in how they handle divergent threads.", "warpfork");
  app.footer(
      "`warpfork COMMAND --help` explains a command. First steps:\n"
      "  warpfork run kernel.ptx --launch launch.toml\n"
      "  warpfork compare --divergence pdom,multi-path,multi-path-or ./program\n"
      "  warpfork record -o program.wft -- ./program && warpfork cpu compare program.wft");
  app.set_version_flag("--version", warpfork::process::version_text());
  app.require_subcommand(1);
  cli::Session session;
  for (auto* add :
       {cli::add_run, cli::add_compare, cli::add_explain, cli::add_experiment, cli::add_inspect, cli::add_machines,
        cli::add_mechanisms, cli::add_cc, cli::add_cpu, cli::add_record, cli::add_version})
    add(app, session);
  try {
    if (argc > 1) require_command(app, argv[1]);
    std::vector<std::string> arguments(argv + 1, argv + argc);
    drop_separator(app, arguments);
    if (arguments.size() > 1) session.words.assign(arguments.begin() + 1, arguments.end());
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  return session.status;
}

/// Messages about a place in a file already say "FILE:LINE:COLUMN: error: …".
void print_error(std::string_view message) {
  const bool has_word = message.substr(0, message.find('\n')).find("error: ") != std::string_view::npos;
  std::fprintf(stderr, "warpfork: %s%.*s\n", has_word ? "" : "error: ", static_cast<int>(message.size()),
               message.data());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw warpfork::Error("standard output cannot be written: {}", std::strerror(errno));
    return status;
  } catch (const warpfork::Error& error) {
    print_error(error.what());
  } catch (const warpfork::InvariantError& error) {
    std::fprintf(stderr, "warpfork: error in warpfork itself, please report it: %s\n", error.what());
  } catch (const std::exception& error) {
    print_error(warpfork::message_of(error));
  }
  return 1;
}
