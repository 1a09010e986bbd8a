#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/sweep_engine.h"
#include "process/deferred_signals.h"
#include "report/text_table.h"
#include "sweep/failure.h"
#include "sweep/point_run.h"
#include "sweep/slurm/slurm_task.h"
#include "sweep/sweep_files.h"
#include "sweep/sweep_runs.h"
#include "sweep/why.h"

namespace warpfork::cli {

namespace {

struct SweepOptions : sweep::SweepFiles {
  bool dry_run = false;
  std::vector<std::string> retried;  // causes
  EngineOptions engine;
};

std::vector<std::string> causes(const std::vector<std::string>& given) {
  const std::vector<std::string> known(sweep::kCauses.begin(), sweep::kCauses.end());
  std::vector<std::string> causes;
  for (const std::string& cause : given) {
    if (cause == "all") return known;
    if (std::ranges::find(known, cause) == known.end())
      throw Error("--retry {}: there is no such cause\n  causes: {}, or all", cause, fmt::join(known, ", "));
    causes.push_back(cause);
  }
  return causes;
}

/// "120 to run, about 45 s with 2 at a time"
std::string work_text(const sweep::PointList& list, const std::vector<std::size_t>& chosen,
                      const sweep::RunHistory& history, const EngineOptions& options) {
  if (chosen.empty()) return "nothing to run\n";
  const std::optional<double> seconds = sweep::estimate(list, chosen, history, options.at_a_time());
  return fmt::format("{} to run, {} with {} at a time{}\n", report::grouped(chosen.size()),
                     seconds ? "about " + sweep::duration_text(*seconds)
                             : "for how long no earlier run of the sweep's programs tells,",
                     options.at_a_time(), options.is_slurm() ? " and one task" : "");
}

void run_points(const EngineOptions& options, sweep::PointList& list, const std::vector<std::size_t>& chosen,
                const sweep::ResultFolder& results, sweep::RunHistory& history) {
  const process::DeferredSignals signals;
  const auto bytes_of = [&](std::size_t point) { return history.bytes(list.points[point].point); };
  const std::unique_ptr<sweep::Engine> engine = make_engine(options, results, bytes_of, signals);
  sweep::SweepRuns runs(list, results, history);
  runs.submit(chosen, *engine);
  if (options.detach)
    runs.look(*engine);
  else
    runs.collect(*engine, signals);
  if (options.detach && results.is_under_way_elsewhere())
    std::cout << "Slurm is at work on them: the same command tells how far it is; without --detach it waits for them, "
                 "and when interrupted cancels them\n";
  else if (signals.came())
    std::cout << "interrupted: the same command goes on from here\n";
  std::cout << std::flush;
}

/// Whether all has been done that was asked for.
bool is_done(const sweep::PointList& list, bool detached) {
  const std::size_t missing = detached ? list.number(sweep::PointState::Missing) : 0;
  return list.number(sweep::PointState::There) + missing == list.points.size();
}

int run_sweep(SweepOptions options) {
  check_engine(options.engine);
  const std::vector<std::string> retried = causes(options.retried);
  const config::SweepPlan plan = sweep::open_plan(options);
  std::vector<sweep::IdentifiedPoint> points = sweep::identified_points(plan);  // a refused plan leaves no folder
  sweep::ResultFolder results(options.results);
  if (!options.dry_run) results.take();
  sweep::PointList list = sweep::list_points(std::move(points), results);
  sweep::RunHistory history(results.times());
  const std::vector<std::size_t> chosen = list.to_run(retried);
  if (list.repeated != 0)
    std::cerr << fmt::format("warpfork: note: {} of the plan {} the same as others of it\n",
                             counted(list.repeated, "point"), list.repeated == 1 ? "is" : "are");
  if (options.dry_run)
    std::cout << list.text() << sweep::summary(list, results) << work_text(list, chosen, history, options.engine);
  if (options.dry_run && results.is_under_way_elsewhere()) std::cout << "some are under way on a cluster\n";
  if (options.dry_run) return 0;
  if (!chosen.empty() || results.is_under_way_elsewhere()) run_points(options.engine, list, chosen, results, history);
  std::cout << sweep::summary(list, results) << "results: " << options.results << '\n';
  return is_done(list, options.engine.detach) ? 0 : 1;
}

std::string tell_why(sweep::SweepFiles files, const std::string& point) {
  if (!files.results.empty() && !std::filesystem::exists(files.plan))  // an experiment's results, or copied ones
    return sweep::why(nullptr, sweep::ResultFolder(files.results), point);
  const config::SweepPlan plan = sweep::open_plan(files);
  const sweep::ResultFolder results(files.results);
  const sweep::PointList list = sweep::list_points(plan, results);
  return sweep::why(&list, results, point);
}

void add_results_option(Command& command, sweep::SweepFiles& files) {
  command.add_option("--results", files.results, "folder of the results; default: the plan's name with .results")
      .value_name("FOLDER");
}

}  // namespace

void add_sweep(Command& app, Session& session) {
  Command command = app.add_command("sweep", "run the points of a plan that are not there yet");
  command.footer(
      "docs/sweep.md explains plans. Interrupted or killed, the same command goes on. `warpfork results` makes a "
      "database of the results.\n"
      "Exit status: 0 = every point is there, or with --detach under way; 1 = some failed.");
  const auto options = std::make_shared<SweepOptions>();
  command.add_option("PLAN", options->plan, "programs, machines and axes").required().help_name("PLAN.toml");
  add_results_option(command, *options);
  command.add_flag("--dry-run", options->dry_run, "list the points, which are there, and how long the others may take");
  command
      .add_option(
          "--retry", options->retried,
          fmt::format("run points again that failed by these causes: {}, or all", fmt::join(sweep::kCauses, ", ")))
      .separated_by_commas()
      .repeatable()
      .value_name("CAUSE,CAUSE…");
  add_engine_options(command, options->engine);
  command.add_flag("--detach", options->engine.detach,
                   "slurm: submit and return; the same command tells later how far it is, without --detach it waits");
  command.when_named([options, &session] { session.status = run_sweep(*options); });
}

void add_why(Command& app, Session&) {
  Command command = app.add_command("why", "what makes up a sweep's point, and why it is run or not");
  const auto files = std::make_shared<sweep::SweepFiles>();
  const auto point = std::make_shared<std::string>();
  command.add_option("POINT", *point, "its first digits, or its file").required().help_name("POINT");
  command.add_option("--plan", files->plan, "the sweep's plan; results are told of without one, too")
      .value_name("PLAN.toml")
      .shows_default();
  add_results_option(command, *files);
  command.when_named([files, point] { std::cout << tell_why(*files, *point); });
}

void add_sweep_point(Command& app, Session& session) {
  Command command = app.add_command("sweep-point", "run one point of a sweep: what `sweep` starts");
  command.hidden();
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("WORDS", *words, "folder of results, point and its description");
  command.when_named([words, &session] {
    if (words->size() != 3) throw UsageError("`warpfork sweep` starts this itself");
    session.status = sweep::run_point((*words)[1], report::Json::parse((*words)[2]), sweep::ResultFolder((*words)[0]));
  });
}

void add_sweep_task(Command& app, Session& session) {
  Command command = app.add_command("sweep-task", "run some points of a sweep: what Slurm starts");
  command.hidden();
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("WORDS", *words, "points at a time, and folder of the array");
  command.when_named([words, &session] {
    if (words->size() != 2) throw UsageError("`warpfork sweep --engine slurm` has this started");
    const process::DeferredSignals signals;
    session.status = sweep::run_slurm_task((*words)[1], sweep::slurm_task_index(),
                                           static_cast<unsigned>(std::stoul((*words)[0])), signals);
  });
}

}  // namespace warpfork::cli
