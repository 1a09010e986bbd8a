#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/recording_run.h"
#include "report/text_table.h"

namespace warpfork::cli {

namespace {

/// CLI11 cannot know where a command's own words end.
class RecordFormatter final : public CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: warpfork record -o FILE.wft [OPTIONS] -- PROGRAM [ARGS…]\n";
  }
};

void add_record_options(CLI::App& command, RecordOptions& options) {
  command.add_option("-o,--output", options.output, "the recording")->type_name("FILE.wft")->required();
  command.add_option("--start", options.request.start, "begin when a thread enters this function for the first time")
      ->type_name("SYMBOL");
  command
      .add_option("--region", options.request.region,
                  "record each thread only within this function and what it calls (main._omp_fn.0)")
      ->type_name("SYMBOL");
  command
      .add_option("--limit", options.request.limit, "stop recording after so many instructions of all threads together")
      ->type_name("N");
  command.add_option("--threads", options.threads, "fail unless so many threads ran in what was recorded")
      ->type_name("N");
  command.prefix_command(true)->allow_extras();  // what follows is the program's
}

void take_program(std::vector<std::string> words, RecordOptions& options) {
  if (!words.empty() && words[0] == "--")
    words.erase(words.begin());
  else if (!words.empty() && words[0].size() > 1 && words[0][0] == '-')
    throw CLI::ExtrasError(fmt::format("there is no option {}; options stand before the program", words[0]),
                           CLI::ExitCodes::ExtrasError);
  if (words.empty()) throw CLI::RequiredError("PROGRAM");
  options.program = words[0];
  options.arguments.assign(words.begin() + 1, words.end());
}

int record(const RecordOptions& options) {
  const RecordOutcome outcome = record_program(options);
  const double bits = 8 * static_cast<double>(outcome.file_bytes) / static_cast<double>(outcome.instructions);
  fmt::print(stderr, "{}: {} instructions of {} thread{}, {} bytes ({:.2f} bits an instruction)\n", options.output,
             report::grouped(outcome.instructions), outcome.threads, outcome.threads == 1 ? "" : "s",
             report::grouped(outcome.file_bytes), bits);
  if (outcome.status != 0)
    fmt::print(stderr, "warpfork: {} ended with exit status {}\n", options.program, outcome.status);
  return outcome.status;
}

}  // namespace

void add_record(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("record", "record an x86-64 program with threads, for `warpfork cpu`");
  command->formatter(std::make_shared<RecordFormatter>());
  command->footer(
      "PROGRAM is linked statically: gcc -static -no-pie -fcf-protection=none, with -pthread or -fopenmp. It runs "
      "under\n"
      "qemu-x86_64 (Debian package qemu-user). Its exit status becomes warpfork's; 1 = error, 2 = wrong usage.");
  const auto options = std::make_shared<RecordOptions>();
  add_record_options(*command, *options);
  command->callback([command, options, &session] {
    take_program(command->remaining(), *options);
    session.status = record(*options);
  });
}

}  // namespace warpfork::cli
