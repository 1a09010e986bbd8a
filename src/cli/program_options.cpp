#include "cli/program_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "config/text_file.h"
#include "gpu/core_spec.h"
#include "process/output_file.h"
#include "process/processors.h"
#include "simulation/bare_kernel.h"

namespace warpfork::cli {

namespace {

constexpr unsigned kMostHostThreads = 64;  // a machine has no more cores

void require_known_option(const Command& command, const std::vector<std::string>& rest) {
  if (rest.empty() || rest[0].size() < 2 || rest[0][0] != '-' || rest[0] == "--") return;
  const std::string& word = rest[0];
  throw UsageError(fmt::format("there is no option {}; nearest: {}", word.substr(0, word.find('=')),
                               fmt::join(nearest_names(word, command.option_names()), ", ")));
}

/// The options of a bare kernel or a saved launch on both sides of its name.
void read_around_program(const std::vector<std::string>& words, WorkOptions& options,
                         void (*add_options)(Command&, WorkOptions&)) {
  WorkOptions all;
  const std::vector<std::string> extra = read_again(words, [&](Command& command) { add_options(command, all); });
  if (!extra.empty()) throw UsageError(fmt::format("a bare kernel or saved launch takes no arguments: {}", extra[0]));
  all.program = options.program;
  options = std::move(all);
}

unsigned threads_from(const std::string& text) {
  if (text == "auto") return process::processors();
  unsigned threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads == 0 || threads > kMostHostThreads)
    throw UsageError(
        fmt::format("--threads {}: 1 to {}, or auto: as many as there are processors", text, kMostHostThreads));
  return threads;
}

/// "10%" or "0.1".
double share_from(const std::string& text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  const bool is_percent = end == text.data() + text.size() - 1 && *end == '%';
  if (is_percent) share /= 100;
  if (error != std::errc() || !(is_percent || end == text.data() + text.size()) || !(share > 0 && share < 1))
    throw UsageError(
        fmt::format("--sample {}: the share of a launch's blocks to be simulated in detail, as 10% or 0.1; without "
                    "--sample all are",
                    text));
  return share;
}

/// Options of ours behind the program: they are its own, but may have been meant for us.
void note_misplaced(const Command& command, const WorkOptions& options) {
  for (const std::string& argument : options.arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || !command.has_option(name)) continue;
    std::cerr << fmt::format(
        "warpfork: note: {0} stands behind {1}, which is given it; warpfork's own options stand "
        "before: warpfork {2} {0} … {1}\n",
        name, options.program, command.name());
    return;
  }
}

}  // namespace

std::vector<std::string> read_again(const std::vector<std::string>& words,
                                    const std::function<void(Command&)>& add_options) {
  CommandLine again;
  Command command = again.root();
  add_options(command);
  again.run_within(words);
  require_known_option(command, command.rest());
  return command.rest();
}

std::string program_usage(const std::string& command) {
  return fmt::format(
      "Usage: warpfork {0} [OPTIONS] PROGRAM [ARGS…]\n       warpfork {0} [OPTIONS] kernel.ptx --launch launch.toml\n  "
      "     warpfork {0} [OPTIONS] saved.wfl\n",
      command);
}

void add_machine_options(Command& command, WorkOptions& options) {
  command.add_option("--machine", options.machine, "machine to simulate: a name (`warpfork machines`) or FILE.toml")
      .value_name("NAME|FILE.toml")
      .shows_default();
  command.add_option("--scheduler", options.scheduler, gpu::scheduler_text()).value_name("NAME");
  command
      .add_option("--scalarize", options.scalarize,
                  "what is executed once for a warp: off, divergent, convergent-only (docs/scalarization.md)")
      .value_name("RULE");
  command.add_flag("--check-scalar", options.check_scalars, "prove in the run that it may be; stops where not");
  command
      .add_option("--set", options.overrides,
                  "change one key of the machine (`warpfork machines NAME` lists them); repeatable")
      .value_name("path.to.key=value")
      .repeatable();
  command
      .add_option("--launch", options.launch,
                  "launch of a bare kernel: entry, grid, block, arguments, expected buffers")
      .value_name("FILE.toml");
  command
      .add_option("--kernels", options.kernels,
                  "time only kernels whose names match (bfs, ns::f<int> or mangled), execute the others")
      .value_name("REGEX");
  command
      .add_option("--launches", options.launches,
                  "time only the program's launches with these numbers (3-7, 3-, -7, 3), execute the others")
      .value_name("A-B");
  command.add_option("--max-cycles", options.max_cycles, "cut off a launch that takes more cycles, 0 = no limit")
      .value_name("N");
  command
      .add_option("--max-instructions", options.max_instructions,
                  "cut off a launch that issues more warp instructions, 0 = no limit")
      .value_name("N");
  command.ends_at_first_stranger();
}

void add_mechanism_options(Command& command, MechanismChoice& choice) {
  command.add_option("--divergence", choice.divergence, "divergence mechanism (`warpfork mechanisms`)")
      .value_name("NAME");
  command.add_option("--lanes", choice.lanes, "lane organisation (`warpfork mechanisms`)").value_name("NAME");
}

void add_cause_options(Command& command, WorkOptions& options) {
  command.add_flag("--lines", options.lines,
                   "tell what each source line cost, and the largest losses (docs/why-slow.md)");
  command
      .add_option("--interval", options.interval, "count in stretches of so many cycles, into --json, --csv or --trace")
      .value_name("CYCLES")
      .positive();
  command.add_option("--csv", options.csv, "write what --interval counts here; - is standard output")
      .value_name("FILE");
  command.add_flag("--racecheck", options.check_races,
                   "find accesses of different threads that nothing orders; slow (docs/checks.md)");
  command.add_flag(
      "--memcheck", options.check_memory,
      "find reads of what nobody has written, uses after free, and host code that touches device memory; slow "
      "(docs/checks.md)");
}

void add_threads_option(Command& command, WorkOptions& options) {
  command
      .add_option(
          "--threads", [&options](const std::string& text) { options.threads = threads_from(text); },
          "host threads that simulate the cores of a launch, 1 if not given; the result is the same "
          "(docs/host-threads.md)")
      .value_name("N|auto");
}

void add_sample_options(Command& command, WorkOptions& options) {
  command
      .add_option(
          "--sample", [&options](const std::string& text) { options.sample.share = share_from(text); },
          "simulate this share of a large launch's blocks in detail, execute the others, and say how far numbers may "
          "be off (docs/sampling.md)")
      .value_name("SHARE");
  command.add_option("--sample-seed", options.sample.seed, "of --sample: take other blocks").value_name("N");
}

void add_trace_options(Command& command, WorkOptions& options) {
  trace::Request& trace = options.trace;
  command
      .add_option("--trace", trace.file,
                  "draw cores, schedulers, lanes and warps over time, for ui.perfetto.dev (docs/timelines.md)")
      .value_name("FILE.json[.gz]");
  command
      .add_option(
          "--trace-cycles",
          [&trace](const std::string& text) { trace.cycles = number_range("--trace-cycles", text, 0); },
          "draw these cycles only, counted over all timed launches")
      .value_name("A-B");
  command
      .add_option(
          "--trace-cores", [&trace](const std::string& text) { trace.cores = number_range("--trace-cores", text, 0); },
          "draw the cores with these numbers only")
      .value_name("A-B");
  command
      .add_option("--trace-limit", options.trace_megabytes,
                  "draw no more when so much was written, before it is compressed; 0 = no limit")
      .value_name("MB")
      .shows_default();
}

void add_energy_option(Command& command, WorkOptions& options) {
  command.add_flag("--energy", options.energy, "reckon energy, power and area too (docs/energy.md)");
}

void add_work_options(Command& command, WorkOptions& options) {
  add_machine_options(command, options);
  command.add_flag("--functional-only", options.functional_only, "execute without timing, one block after the other");
  command.add_option("--json", options.json, "write the whole result here; - is standard output").value_name("FILE");
}

ProgramWords program_words(const Command& command, const std::vector<std::string>& words, const std::string& what) {
  std::vector<std::string> rest = command.rest();
  require_known_option(command, rest);
  ProgramWords all;
  all.around.assign(words.begin(), words.end() - static_cast<std::ptrdiff_t>(rest.size()));
  if (!rest.empty() && rest[0] == "--") rest.erase(rest.begin());
  if (rest.empty()) throw UsageError(what + " is required");
  all.program = rest[0];
  all.arguments.assign(rest.begin() + 1, rest.end());
  all.around.insert(all.around.end(), all.arguments.begin(), all.arguments.end());
  return all;
}

void take_program(const Command& command, const std::vector<std::string>& words, WorkOptions& options,
                  void (*add_options)(Command&, WorkOptions&)) {
  const ProgramWords all = program_words(command, words, "PROGRAM");
  options.program = all.program;
  options.arguments = all.arguments;
  if (options.is_one_launch() && !options.arguments.empty()) read_around_program(all.around, options, add_options);
  note_misplaced(command, options);
  simulation::require_consistent(options);
}

void require_apart(const std::vector<std::string>& written, const WorkOptions& options) {
  std::vector<std::string> read = options.arguments;
  read.insert(read.end(), {options.program, options.launch});
  if (options.machine.ends_with(".toml")) read.push_back(options.machine);  // else it is a name
  process::require_apart(written, read);
  const bool writes = std::ranges::any_of(written, [](const std::string& file) { return !file.empty(); });
  if (!writes || !options.is_bare_kernel() || !std::filesystem::exists(options.launch)) return;
  if (config::read_text(options.launch).find("output") == std::string::npos) return;  // the rest is long to read
  std::vector<std::string> all = simulation::output_files(config::read_launch_file(options.launch));
  all.insert(all.end(), written.begin(), written.end());
  process::require_apart(all, read);
}

}  // namespace warpfork::cli
