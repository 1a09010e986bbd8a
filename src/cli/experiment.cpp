#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <exception>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/named.h"
#include "cli/commands.h"
#include "cli/kept_runs.h"
#include "cli/recorded_benchmarks.h"
#include "cli/work.h"
#include "config/experiment_plan.h"
#include "config/toml_text.h"
#include "cuda/progress_line.h"
#include "experiment/report.h"
#include "process/deferred_signals.h"
#include "process/install_paths.h"
#include "process/output_file.h"
#include "process/temporary_folder.h"
#include "process/version.h"

namespace warpfork::cli {

namespace {

struct ExperimentOptions {
  std::string experiment;
  std::string scale = "small";
  std::string json;                     // file, "-" = standard output, empty = none
  std::vector<std::string> benchmarks;  // empty = all
  std::string programs;                 // folder, empty = the workloads that were built with warpfork
  std::string keep;                     // folder, empty = nothing is kept
  unsigned recordings = 1;
  bool without_bands = false;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

std::filesystem::path experiment_file(const std::string& name) {
  if (name.ends_with(".toml")) return name;
  const std::filesystem::path folder = process::share_folder() / "experiments";
  std::vector<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::filesystem::exists(entry.path() / "experiment.toml")) known.push_back(entry.path().filename());
  std::sort(known.begin(), known.end());
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw Error("there is no experiment '{}'\n  known: {}; or give a FILE.toml", name, fmt::join(known, ", "));
  return folder / name / "experiment.toml";
}

std::filesystem::path program_folder(const ExperimentOptions& options) {
  const std::filesystem::path folder = options.programs.empty()
                                           ? process::share_folder().parent_path().parent_path() / "workloads"
                                           : std::filesystem::path(options.programs);
  if (!std::filesystem::is_directory(folder))
    throw Error(
        "{}: there is no such folder\n  an experiment needs warpfork's workloads: build them by './dev build', "
        "or name their folder by --programs",
        folder.string());
  return folder;
}

void keep_only(const std::vector<std::string>& names, config::ExperimentPlan& plan) {
  if (names.empty()) return;
  const std::vector<std::string> known = names_of(plan.benchmarks);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("--only {}: there is no such benchmark\n  known: {}", name, fmt::join(known, ", "));
  const auto left_out = std::erase_if(plan.benchmarks, [&](const config::Benchmark& benchmark) {
    return std::find(names.begin(), names.end(), benchmark.name) == names.end();
  });
  plan.is_partial = left_out != 0;
}

/// Runs all that the figures need, several at a time, but what is kept.
class Runs {
 public:
  /// `origin`: of what is kept in the folder `keep`; if that is empty, nothing is left behind.
  Runs(const config::ExperimentPlan& plan, unsigned recordings, std::filesystem::path programs, const std::string& keep,
       const report::Json& origin)
      : plan_(plan),
        runs_(experiment::runs_of(plan, recordings)),
        programs_(std::move(programs)),
        kept_(keep.empty() ? temporary_.path() : std::filesystem::path(keep), origin),
        recorded_(plan_, programs_, kept_.recordings(), signals_) {}

  /// Throws what the first run that failed threw.
  experiment::Totals run(unsigned jobs) {
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < jobs; ++i) workers.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(totals_);
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < runs_.size(); i = next_++) {
      const experiment::RunName& run = runs_[i];
      try {
        finish(run, kept_or_run(run));
      } catch (const Error& error) {
        fail(std::make_exception_ptr(Error("{} under {}: {}", run.benchmark, run.configuration, error.what())));
      } catch (...) {
        fail(std::current_exception());
      }
    }
  }

  report::Json kept_or_run(const experiment::RunName& run) {
    if (std::optional<report::Json> kept = kept_.find(run)) return *std::move(kept);
    const config::Benchmark& benchmark = find_named(plan_.benchmarks, run.benchmark, "benchmark", "benchmarks");
    const config::Configuration configuration = experiment::configuration_of(plan_, run);
    report::Json totals = plan_.machine.empty() ? recorded_.totals(benchmark, configuration, run.recording)
                                                : totals_of(benchmark, configuration);
    kept_.keep(run, totals);
    return totals;
  }

  report::Json totals_of(const config::Benchmark& benchmark, const config::Configuration& configuration) const {
    WorkOptions options;
    options.machine = plan_.machine;
    options.overrides = plan_.overrides;
    options.overrides.insert(options.overrides.end(), configuration.overrides.begin(), configuration.overrides.end());
    options.program = (programs_ / benchmark.program).string();
    options.arguments = benchmark.arguments;
    const Work work = do_work(options, {configuration.divergence, ""}, process::GuestOutput::Captured);
    if (work.outcome.status != 0) throw Error("{}", fmt::join(work.outcome.complaints, "\n  "));
    return work.document.at("totals");
  }

  void finish(const experiment::RunName& run, report::Json totals) {
    const std::lock_guard lock(mutex_);
    totals_[run] = std::move(totals);
    if (isatty(STDERR_FILENO))
      std::cerr << cuda::kEraseProgress
                << fmt::format("{} of {} runs: {} under {}\n", totals_.size(), runs_.size(), run.benchmark,
                               run.configuration);
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failure;
    next_ = runs_.size();
  }

  const config::ExperimentPlan& plan_;
  const std::vector<experiment::RunName> runs_;
  const std::filesystem::path programs_;
  const process::DeferredSignals signals_;  // an interrupt ends the programs first, so that no run leaves files behind
  const process::TemporaryFolder temporary_;
  const KeptRuns kept_;
  RecordedBenchmarks recorded_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of what follows
  experiment::Totals totals_;
  std::exception_ptr failure_;
};

void check_recordings(const ExperimentOptions& options, const config::ExperimentPlan& plan) {
  const bool any = std::ranges::any_of(plan.benchmarks, [](const config::Benchmark& one) { return one.varies; });
  if (options.recordings > 1 && !any)
    throw Error("--recordings {}: no benchmark of this experiment is recorded differently each time (key 'varies')",
                options.recordings);
}

std::string heading(const config::ExperimentPlan& plan, const std::string& scale) {
  const std::string machine = plan.machine.empty() ? "Table I of SIMT-X" : "machine " + plan.machine;
  std::string text = fmt::format("{}\n{}\n\n{}{}{}, scale {}:\n", plan.title, plan.paper, machine,
                                 plan.overrides.empty() ? "" : " with ", fmt::join(plan.overrides, ", "), scale);
  for (const config::Benchmark& benchmark : plan.benchmarks)
    text += fmt::format("  {}: {}{}{}\n", benchmark.name, benchmark.program, benchmark.arguments.empty() ? "" : " ",
                        fmt::join(benchmark.arguments, " "));
  if (!plan.choices.empty()) text += "what the paper leaves open, each for itself:\n";
  for (const config::OpenChoice& choice : plan.choices)
    text += fmt::format("  {}: {}\n", choice.name, fmt::join(choice.overrides, ", "));
  return text;
}

void run_experiment(const ExperimentOptions& options) {
  process::require_writable(options.json);
  const std::filesystem::path file = experiment_file(options.experiment);
  const std::string text = config::read_text(file);
  config::ExperimentPlan plan = config::parse_experiment(text, file.string(), options.scale);
  if (options.without_bands) plan.choices.clear();
  check_recordings(options, plan);
  keep_only(options.benchmarks, plan);
  const std::filesystem::path programs = program_folder(options);
  const report::Json origin = {{"warpfork", process::version_text()},
                               {"experiment", text},
                               {"scale", options.scale},
                               {"programs", std::filesystem::canonical(programs).string()}};
  const experiment::Totals totals = Runs(plan, options.recordings, programs, options.keep, origin).run(options.jobs);
  if (!options.json.empty())
    process::write_text(options.json, report::write_document(experiment::figures_json(plan, options.scale, totals)));
  if (options.json == "-") return;
  std::cout << heading(plan, options.scale) << experiment::figures_text(plan, totals);
  if (!options.json.empty()) std::cout << "\nThe whole result: " << options.json << '\n';
}

}  // namespace

void add_experiment(CLI::App& app, Session&) {
  CLI::App* command = app.add_subcommand("experiment", "rerun a paper's figures, its numbers beside ours");
  command->footer(
      "Experiments that come with warpfork: multipath, capri, simt-x. `+` marks a statement of the paper that holds "
      "here,\n"
      "`-` one that does not; experiments/NAME/findings.md says why.");
  const auto options = std::make_shared<ExperimentOptions>();
  command->add_option("EXPERIMENT", options->experiment, "its name, or a file that describes one")
      ->required()
      ->option_text("NAME|FILE.toml");
  command->add_option("--scale", options->scale, "small: a few minutes; paper: the paper's launch sizes")
      ->type_name("small|paper")
      ->capture_default_str();
  command->add_option("--only", options->benchmarks, "these benchmarks alone, separated by commas")
      ->delimiter(',')
      ->type_name("NAME,NAME…");
  command
      ->add_option("--json", options->json, "write every value and the totals of every run here; - is standard output")
      ->type_name("FILE");
  command
      ->add_option("--programs", options->programs, "folder of the benchmarks' programs; default: warpfork's workloads")
      ->type_name("FOLDER");
  command
      ->add_option("--keep", options->keep,
                   "leave the results of finished runs here: the same command then goes on where it was interrupted")
      ->type_name("FOLDER");
  command
      ->add_option("--recordings", options->recordings,
                   "record programs that no two recordings are the same of so many times: means and their ranges")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--without-bands", options->without_bands,
                    "leave out the runs that tell how far numbers depend on what the paper leaves open");
  command->add_option("--jobs", options->jobs, "runs at a time; default: one for each processor")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->callback([options] { run_experiment(*options); });
}

}  // namespace warpfork::cli
