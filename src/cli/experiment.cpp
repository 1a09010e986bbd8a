#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/named.h"
#include "cli/commands.h"
#include "cli/sweep_engine.h"
#include "config/experiment_plan.h"
#include "config/text_file.h"
#include "experiment/page.h"
#include "experiment/report.h"
#include "process/install_paths.h"
#include "process/output_file.h"
#include "sweep/experiment_runs.h"
#include "sweep/free_memory.h"
#include "sweep/local_engine.h"

namespace warpfork::cli {

namespace {

struct ExperimentOptions {
  std::string experiment;
  std::string scale = "small";
  std::string json;                     // file, "-" = standard output, empty = none
  std::vector<std::string> benchmarks;  // empty = all
  std::string programs;                 // folder, empty = the workloads that were built with warpfork
  std::string page;                     // file of Markdown, empty = none
  std::string results;                  // folder, empty = the experiment's name with .results
  unsigned recordings = 1;
  bool without_bands = false;
  EngineOptions engine;
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
  if (options.programs.empty()) return process::workloads_folder();
  const std::filesystem::path folder = options.programs;
  if (!std::filesystem::is_directory(folder))
    throw Error(
        "--programs {}: there is no such folder\n  an experiment takes the workloads from there; without the option, "
        "those that came with warpfork",
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
    text += fmt::format("  {}: {}{}{}{}\n", benchmark.name, benchmark.program, benchmark.arguments.empty() ? "" : " ",
                        fmt::join(benchmark.arguments, " "),
                        benchmark.kernels.empty() ? "" : fmt::format(", kernels {}", benchmark.kernels));
  if (!plan.choices.empty()) text += "what the paper leaves open, each for itself:\n";
  for (const config::OpenChoice& choice : plan.choices)
    text += fmt::format("  {}: {}\n", choice.name, fmt::join(choice.overrides, ", "));
  return text;
}

std::string with_figures(const ExperimentOptions& options, const config::ExperimentPlan& plan,
                         const experiment::Totals& totals) {
  if (plan.is_partial) throw Error("--page goes without --only: a page has all benchmarks");
  return experiment::with_figures(config::read_text(options.page), options.page, plan, totals);
}

std::filesystem::path result_folder(const ExperimentOptions& options) {
  if (!options.results.empty()) return options.results;
  const std::filesystem::path name = options.experiment;
  return name.has_extension() ? name.stem().string() + ".results" : options.experiment + ".results";
}

experiment::Totals run_all(const ExperimentOptions& options, const config::ExperimentPlan& plan,
                           const std::filesystem::path& programs) {
  sweep::ResultFolder results(std::filesystem::absolute(result_folder(options)));
  results.take();
  std::filesystem::create_directories(results.recordings());
  const process::DeferredSignals signals;
  using BytesOf = std::function<std::uint64_t(std::size_t)>;
  const auto recorder = [&](const BytesOf& bytes_of) {  // on this machine: QEMU is here, and it is soon done
    return std::make_unique<sweep::LocalEngine>(sweep::LocalLimits{options.engine.at_a_time(), sweep::free_memory()},
                                                bytes_of, signals);
  };
  const auto engine = [&](const BytesOf& bytes_of) { return make_engine(options.engine, results, bytes_of, signals); };
  std::optional<experiment::Totals> totals =
      sweep::ExperimentRuns(plan, options.recordings, programs, results).run(recorder, engine, signals);
  if (!totals) {
    std::cerr << "interrupted: the same command goes on from here\n";
    throw Error("interrupted");
  }
  return *std::move(totals);
}

void run_experiment(const ExperimentOptions& options) {
  check_engine(options.engine);
  process::require_apart({options.json, options.page}, {options.experiment});
  process::require_writable(options.json);
  process::require_writable(options.page);
  const std::filesystem::path file = experiment_file(options.experiment);
  const std::string text = config::read_text(file);
  config::ExperimentPlan plan = config::parse_experiment(text, file.string(), options.scale);
  if (options.without_bands) plan.choices.clear();
  check_recordings(options, plan);
  keep_only(options.benchmarks, plan);
  if (!options.page.empty()) with_figures(options, plan, {});  // throws before anything is run
  const std::filesystem::path programs = program_folder(options);
  const experiment::Totals totals = run_all(options, plan, programs);
  experiment::require_numbers(plan, totals);
  if (!options.json.empty())
    process::write_text(options.json, report::write_document(experiment::figures_json(plan, options.scale, totals)));
  if (!options.page.empty()) process::write_text(options.page, with_figures(options, plan, totals));
  if (options.json == "-") return;
  std::cout << heading(plan, options.scale) << experiment::figures_text(plan, totals);
  if (!options.json.empty()) std::cout << "\nThe whole result: " << options.json << '\n';
  std::cout << "\nThe runs' results: " << result_folder(options).string() << '\n';
}

}  // namespace

void add_experiment(Command& app, Session&) {
  Command command = app.add_command("experiment", "rerun a paper's figures, its numbers beside ours");
  command.footer(
      "Experiments that come with warpfork: multipath, capri, simt-x, stsimt, mechanisms-and-lanes. `+` marks a\n"
      "statement of the paper that holds here, `-` one that does not; docs/experiments.md names the page that says "
      "why.");
  const auto options = std::make_shared<ExperimentOptions>();
  command.add_option("EXPERIMENT", options->experiment, "its name, or a file that describes one")
      .required()
      .help_name("NAME|FILE.toml");
  command.add_option("--scale", options->scale, "small: a few minutes; paper: the paper's launch sizes")
      .value_name("small|paper")
      .shows_default();
  command.add_option("--only", options->benchmarks, "these benchmarks alone, separated by commas")
      .separated_by_commas()
      .value_name("NAME,NAME…");
  command
      .add_option("--json", options->json, "write every value and the totals of every run here; - is standard output")
      .value_name("FILE");
  command
      .add_option("--page", options->page,
                  "write the figures' tables into this page, where it has the lines <!-- tables of FIGURE --> and "
                  "<!-- end of FIGURE -->")
      .value_name("FILE.md");
  command
      .add_option("--programs", options->programs, "folder of the benchmarks' programs; default: warpfork's workloads")
      .value_name("FOLDER");
  command
      .add_option("--results", options->results,
                  "folder of the runs' results, where the same command goes on; default: the experiment's name with "
                  ".results")
      .value_name("FOLDER");
  command
      .add_option("--recordings", options->recordings,
                  "record programs that no two recordings are the same of so many times: means and their ranges")
      .value_name("N")
      .within(1, 1000)
      .shows_default();
  command.add_flag("--without-bands", options->without_bands,
                   "leave out the runs that tell how far numbers depend on what the paper leaves open");
  add_engine_options(command, options->engine);
  command.when_named([options] { run_experiment(*options); });
}

}  // namespace warpfork::cli
