#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "process/output_file.h"
#include "process/recording_run.h"
#include "report/text_table.h"
#include "x86/named_functions.h"

namespace warpfork::cli {

namespace {

constexpr unsigned kMostThreads = 8192;  // that the recorder takes at a time

struct RecordWords {
  process::RecordOptions run;
  std::vector<std::string> regions;  // each time that the option stands there
  std::vector<std::string> words;    // the program and its arguments
};

void add_record_options(Command& command, RecordWords& options) {
  command.add_option("-o,--output", options.run.output, "the recording").value_name("FILE.wft").required();
  command
      .add_option("--start", options.run.request.start, "begin when a thread enters this function for the first time")
      .value_name("FUNCTION");
  command
      .add_option("--region", options.regions,
                  "record each thread only within this function, its OpenMP bodies (main._omp_fn.0), and what they "
                  "call; several: separated by commas")
      .repeatable()
      .value_name("FUNCTION");
  command
      .add_option("--limit", options.run.request.limit,
                  "record each thread's first N instructions alone, so that all end at the same progress")
      .within(1, std::numeric_limits<std::uint64_t>::max())
      .value_name("N");
  command.add_option("--threads", options.run.threads, "fail unless so many threads ran in what was recorded")
      .within(1, kMostThreads)
      .value_name("N");
  command.add_option("PROGRAM", options.words, "the program and its arguments").value_name("").required();
  command.ends_at_first_positional();  // what follows the program is its own
}

int record(const process::RecordOptions& options) {
  process::require_apart({options.output}, {options.program});
  const process::RecordOutcome outcome = process::record_program(options);
  const double bits = 8 * static_cast<double>(outcome.file_bytes) / static_cast<double>(outcome.instructions);
  const std::uint64_t limit = options.request.limit;
  fmt::print(stderr, "{}: {} of {}{}, {} bytes ({:.2f} bits an instruction)\n", options.output,
             report::grouped(outcome.instructions, "instruction"), counted(outcome.threads, "thread"),
             limit == 0 ? "" : fmt::format(", of each the first {} alone", report::grouped(limit)),
             report::grouped(outcome.file_bytes), bits);
  if (outcome.status != 0)
    fmt::print(stderr, "warpfork: {} ended with exit status {}\n", options.program, outcome.status);
  return outcome.status;
}

}  // namespace

void add_record(Command& app, Session& session) {
  Command command = app.add_command("record", "record an x86-64 program with threads, for `warpfork cpu`");
  command.usage("Usage: warpfork record -o FILE.wft [OPTIONS] -- PROGRAM [ARGS…]\n");
  command.footer(
      "FUNCTION is a name as nm or, of C++, c++filt prints it: 'work(int)', or work where only one is called so.\n"
      "PROGRAM is linked statically: gcc -static -no-pie -fcf-protection=none, with -pthread or -fopenmp. It runs "
      "under\n"
      "qemu-x86_64 (Debian package qemu-user). Its exit status becomes warpfork's; 1 = error, 2 = wrong usage.");
  const auto options = std::make_shared<RecordWords>();
  add_record_options(command, *options);
  command.when_named([options, &session] {
    for (const std::string& list : options->regions)
      std::ranges::move(x86::function_list(list), std::back_inserter(options->run.request.regions));
    options->run.program = options->words[0];
    options->run.arguments.assign(options->words.begin() + 1, options->words.end());
    session.status = record(options->run);
  });
}

}  // namespace warpfork::cli
