#include "sweep/point_run.h"

#include <fmt/ranges.h>

#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <variant>

#include "base/error.h"
#include "process/guest_program.h"
#include "process/install_paths.h"
#include "report/launch_json.h"
#include "report/launch_totals.h"
#include "simulation/cpu_work.h"
#include "simulation/kernel_launches.h"
#include "simulation/run_energy.h"
#include "simulation/work.h"
#include "sweep/failure.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;
using report::Json;
using Result = std::variant<Json, Failure>;

/// The totals of each of the point's groups of kernels, with what they cost where that is asked for.
Json totals_of_groups(const simulation::Work& done, const Json& groups) {
  Json totals = Json::object();
  for (const auto& [name, kernels] : groups.items()) {
    const std::vector<report::LaunchRecord> launches =
        simulation::launches_of_kernels(done.outcome.launches, kernels, "kernels");
    totals[name] = report::to_json(report::sum_launches(launches));
    if (done.energy) simulation::RunEnergy(done.machine, launches).add_sums_to(totals[name]);
  }
  return totals;
}

/// The keys of a point's document that say what came out.
Result run_on_gpu(const Json& request) {
  const Json& options = request.at("options");
  simulation::WorkOptions work;
  work.program = request.at("program").at("file");
  work.launch = request.at("program").at("launch");
  work.arguments = request.at("arguments");
  work.machine = request.at("machine").at("description");
  work.overrides = request.at("overrides");
  work.functional_only = options.at("functional_only");
  work.energy = options.at("energy");
  work.lines = options.at("lines");
  work.kernels = options.at("kernels");
  work.max_cycles = options.at("max_cycles");
  const simulation::Work done = simulation::do_work(work, {}, process::GuestOutput::Captured);
  if (done.outcome.status == 0) {
    Json document = {{"result", done.document()}};
    if (request.contains("groups")) document["groups"] = totals_of_groups(done, request["groups"]);
    return document;
  }
  return Failure{report::is_cut_off(done.outcome.launches) ? "cut-off" : "exit",
                 fmt::format("{}", fmt::join(done.outcome.complaints, "\n"))};
}

Result run_on_cpu(const Json& request) {
  simulation::CpuOptions options;
  options.recording = request.at("program").at("file");
  options.machine = request.at("machine").at("description");
  options.overrides = request.at("overrides");
  return Json{{"result", simulation::run_recording(options, request.at("machine").at("core")).document()}};
}

Result run(const Json& request) {
  try {
    return request.at("program").at("kind") == "recording" ? run_on_cpu(request) : run_on_gpu(request);
  } catch (const std::bad_alloc& error) {
    return Failure{"memory", message_of(error)};
  } catch (const process::EndedBySignal& error) {
    return death_by_signal(error.signal(), request.at("program").at("name").get<std::string>());
  } catch (const std::exception& error) {
    return Failure{"error", message_of(error)};
  }
}

}  // namespace

fs::path log_of(const IdentifiedPoint& point, const ResultFolder& results) {
  return fs::absolute(results.running()) / (point.id + ".log");
}

process::ChildCommand command_of(const IdentifiedPoint& point, const ResultFolder& results) {
  process::ChildCommand command{process::program_file().string(),
                                {"sweep-point", fs::absolute(results.path()).string(), point.id, point.request.dump()},
                                {{"TMPDIR", fs::absolute(results.running()).string()}},
                                {}};
  command.errors = log_of(point, results);
  command.output_to_error = true;
  return command;
}

int run_point(const std::string& id, const Json& request, const ResultFolder& results) {
  const Result result = run(request);
  if (const auto* failure = std::get_if<Failure>(&result)) {
    results.keep_failure(id, failure->document(request));
    return 1;
  }
  Json document = {{"schema", 1}, {"point", request}};
  document.update(std::get<Json>(result));
  results.keep_point(id, document);
  return 0;
}

}  // namespace warpfork::sweep
