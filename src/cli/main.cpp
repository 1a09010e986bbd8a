// The program `warpfork`: chooses the command, and is the one place where errors end.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/memory_shortage.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "process/version.h"

namespace {

constexpr int kUsageError = 2;

int run(const std::vector<std::string>& given) {
  namespace cli = warpfork::cli;
  cli::CommandLine line("warpfork simulates GPUs and CPU cores that differ in how they handle divergent threads.",
                        "warpfork");
  cli::Command root = line.root();
  root.footer(
      "`warpfork help COMMAND` explains a command, as `warpfork COMMAND --help` does. First steps:\n"
      "  warpfork run kernel.ptx --launch launch.toml\n"
      "  warpfork compare --divergence pdom,multi-path,multi-path-or ./program\n"
      "  warpfork record -o run.wft -- ./program && warpfork cpu compare run.wft");
  line.version(warpfork::process::version_text());
  root.require_command();
  cli::Session session;
  for (auto* add :
       {cli::add_run,        cli::add_compare, cli::add_contestant, cli::add_explain,     cli::add_step,
        cli::add_experiment, cli::add_inspect, cli::add_machines,   cli::add_mechanisms,  cli::add_cc,
        cli::add_cpu,        cli::add_record,  cli::add_completion, cli::add_manual,      cli::add_plot,
        cli::add_report,     cli::add_results, cli::add_sweep,      cli::add_sweep_point, cli::add_sweep_task,
        cli::add_why,        cli::add_version})
    add(root, session);
  const std::vector<std::string> words = line.normalised(given);
  if (!words.empty()) session.words.assign(words.begin() + 1, words.end());
  try {
    line.run(words);
  } catch (const cli::UsageError& error) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", error.what());
    return kUsageError;
  }
  return session.status;
}

/// Messages about a place in a file already say "FILE:LINE:COLUMN: error: …".
void print_error(std::string_view message) {
  const bool has_word = message.substr(0, message.find('\n')).find("error: ") != std::string_view::npos;
  std::fprintf(stderr, "warpfork: %s%.*s\n", has_word ? "" : "error: ", static_cast<int>(message.size()),
               message.data());
}

/// Of a stream that has failed before: errno has meanwhile been others'. What is missing of it, one more line end or
/// less does not matter to.
std::string output_error() {
  const bool is_past = write(STDOUT_FILENO, "\n", 1) == 1;
  return std::string("standard output cannot be written: ") + (is_past ? "a part is missing" : std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  const warpfork::MemoryShortageHandler for_destructors;
  try {
    const int status = run({argv + 1, argv + argc});
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw warpfork::Error("{}", output_error());
    return status;
  } catch (const warpfork::Error& error) {
    print_error(error.what());
  } catch (const warpfork::InvariantError& error) {
    std::fprintf(stderr, "warpfork: error in warpfork itself, please report it: %s\n", error.what());
  } catch (const std::exception& error) {
    const bool is_of_output = std::ferror(stdout) != 0;  // fmt throws where it cannot print
    print_error(is_of_output ? output_error() : warpfork::message_of(error));
  }
  return 1;
}
