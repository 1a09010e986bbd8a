#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "process/deferred_signals.h"
#include "process/guest_program.h"
#include "process/output_file.h"
#include "report/finding_text.h"
#include "report/interval_csv.h"
#include "report/text_report.h"
#include "report/words.h"
#include "simulation/key_use.h"
#include "simulation/trace_file.h"
#include "simulation/work.h"

namespace warpfork::cli {

namespace {

void add_save_options(Command& command, cuda::SaveRequest& save) {
  command
      .add_option("--save-launch", save.launch,
                  "write what the program's launch N needs to run alone to -o (docs/saved-launches.md)")
      .value_name("N")
      .positive();
  command.add_option("-o,--output", save.file, "the file of --save-launch").value_name("FILE.wfl");
}

void add_run_options(Command& command, WorkOptions& options) {
  add_mechanism_options(command, options.mechanisms);
  add_energy_option(command, options);
  add_cause_options(command, options);
  add_trace_options(command, options);
  add_save_options(command, options.save);
  add_sample_options(command, options);
  add_threads_option(command, options);
  add_work_options(command, options);
  command.add_option("--host-time", options.host_time, "write the host's times here, as JSON").value_name("FILE");
}

std::string host_times(const simulation::Work& work) {
  std::uint64_t instructions = 0;
  for (const report::LaunchRecord& launch : work.outcome.launches) instructions += launch.warp_instructions;
  const double rate = work.host_seconds > 0 ? static_cast<double>(instructions) / work.host_seconds : 0;
  const report::Json times = {
      {"wall_seconds", work.host_seconds}, {"warp_instructions", instructions}, {"warp_instructions_per_second", rate}};
  return report::write_document(times);
}

std::string report_text(const WorkOptions& options, const simulation::Work& work) {
  std::string text = report::text_report(work.outcome.launches);
  if (work.energy) text += "\n" + work.energy->text();
  if (!options.is_one_launch() && report::names_ptx_lines(work.outcome.launches))
    text += fmt::format("\n{}\n", process::where_ptx_lines_are(options.program));
  const std::string words = report::words_of(text);
  return words.empty() ? text : text + '\n' + words;
}

void note(const std::string& text) {
  if (!text.empty()) std::cerr << "warpfork: note: " << text << '\n';
}

/// False if the timeline could not be written, which the run's result is not to be lost for.
bool finish(simulation::TraceFile& trace) {
  try {
    note(trace.finish());
    return true;
  } catch (const Error& error) {
    std::cerr << "warpfork: error: " << error.what() << '\n';
    return false;
  }
}

/// Whether a file is open while it runs, which an interrupt must not leave behind. One launch without timing does not
/// look for signals: they end it at once.
bool must_clean_up(const WorkOptions& options) {
  if (options.is_one_launch() && options.functional_only) return false;
  return !options.trace.file.empty() || !options.save.file.empty();
}

/// What a launch drew before it failed is kept, but not what it drew before it was interrupted.
simulation::Work do_traced(WorkOptions options, process::GuestOutput output) {
  std::optional<process::DeferredSignals> signals;
  if (must_clean_up(options)) signals.emplace();
  if (options.interval != 0) options.trace.window = options.interval;
  options.trace.bytes = std::min(options.trace_megabytes, ~std::uint64_t{0} >> 20) << 20;
  simulation::TraceFile trace(options.trace);
  simulation::Work work;
  try {
    work = simulation::do_work(options, options.mechanisms, output);
  } catch (const Error&) {
    if (trace.has_launches() && !process::deferred_signal_came()) finish(trace);
    throw;
  }
  if (!finish(trace) && work.outcome.status == 0) work.outcome.status = 1;
  return work;
}

/// Python has what is counted over time in the result; here it needs a file.
void require_place_for_intervals(const WorkOptions& options) {
  if (options.interval == 0 || !options.json.empty() || !options.csv.empty() || !options.trace.file.empty()) return;
  throw Error("--interval counts into a file: give --json FILE, --csv FILE or --trace FILE, too");
}

int run(const WorkOptions& options) {
  simulation::require_key_use(options, {options.mechanisms});
  require_place_for_intervals(options);
  require_apart({options.json, options.host_time, options.csv, options.trace.file, options.save.file}, options);
  process::require_writable(options.json);
  process::require_writable(options.host_time);
  process::require_writable(options.csv);
  const bool result_on_output = options.json == "-" || options.host_time == "-" || options.csv == "-";
  const simulation::Work work =
      do_traced(options, result_on_output ? process::GuestOutput::StandardError : process::GuestOutput::Standard);
  if (!options.json.empty()) process::write_text(options.json, report::write_document(work.document()));
  if (!options.csv.empty()) process::write_text(options.csv, report::interval_csv(work.outcome.launches));
  if (!options.host_time.empty()) process::write_text(options.host_time, host_times(work));
  // A program's standard output stays its own; a result there stays alone.
  std::ostream& out = options.is_one_launch() && !result_on_output ? std::cout : std::cerr;
  (result_on_output ? std::cerr : std::cout) << work.outcome.output;
  if (options.json != "-" && options.csv != "-" && !(out << report_text(options, work) << std::flush))
    throw Error("the report cannot be written to standard {}: {}", &out == &std::cout ? "output" : "error",
                std::strerror(errno));
  for (const std::string& complaint : work.outcome.complaints) std::cerr << "warpfork: " << complaint << '\n';
  return work.outcome.status == 0 && report::finding_count(work.outcome.launches) != 0 ? 1 : work.outcome.status;
}

}  // namespace

void add_run(Command& app, Session& session) {
  Command command = app.add_command("run", "run a CUDA program, a bare kernel or a saved launch on a simulated GPU");
  command.usage(program_usage("run"));
  command.footer(
      "PROGRAM is an executable that uses the CUDA runtime, built by nvcc or `warpfork cc`.\n"
      "Its exit status becomes warpfork's; 1 = error, a buffer not as expected or a finding of a check, 2 = wrong "
      "usage.");
  const auto options = std::make_shared<WorkOptions>();
  add_run_options(command, *options);
  command.when_named([command, options, &session] {
    take_program(command, session.words, *options, add_run_options);
    session.status = run(*options);
  });
}

}  // namespace warpfork::cli
