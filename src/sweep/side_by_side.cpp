#include "sweep/side_by_side.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/named.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "process/deferred_signals.h"
#include "process/install_paths.h"
#include "process/processors.h"
#include "process/temporary_folder.h"
#include "report/launch_totals.h"
#include "simulation/key_use.h"
#include "simulation/work_file.h"
#include "sweep/free_memory.h"
#include "sweep/local_engine.h"

namespace warpfork::sweep {

namespace {

using simulation::MechanismChoice;
using simulation::Work;
using simulation::WorkOptions;

/// Each divergence mechanism with each lane organisation. Throws for an unknown name, and for one named twice.
std::vector<MechanismChoice> contestants(const WorkOptions& options) {
  std::vector<std::string> divergences = options.divergences, lanes = options.lanes;
  require_distinct("--divergence", divergences);
  require_distinct("--lanes", lanes);
  if (divergences.empty()) divergences = lanes.empty() ? divergence_mechanism_names() : std::vector<std::string>{""};
  if (lanes.empty()) lanes = {""};
  std::vector<MechanismChoice> all;
  for (const std::string& divergence : divergences) {
    if (!divergence.empty()) find_divergence_mechanism(divergence);
    for (const std::string& organisation : lanes) {
      if (!organisation.empty()) gpu::find_lane_organisation(organisation);
      all.push_back({divergence, organisation});
    }
  }
  return all;
}

/// As rows and messages call it.
std::string name_of(const MechanismChoice& choice) {
  if (choice.divergence.empty()) return choice.lanes;
  return choice.lanes.empty() ? choice.divergence : choice.divergence + " " + choice.lanes;
}

std::filesystem::path file_of(const std::filesystem::path& folder, std::size_t number) {
  return folder / fmt::format("work-{}", number);
}

std::filesystem::path options_of(const std::filesystem::path& folder) { return folder / "options"; }

Job job(std::size_t number, const MechanismChoice& choice, const std::filesystem::path& folder) {
  process::ChildCommand command{
      process::program_file().string(),
      {"contestant", options_of(folder).string(), file_of(folder, number).string(), choice.divergence, choice.lanes},
      {{"TMPDIR", folder.string()}},
      {}};
  return {number, std::move(command)};
}

/// Runs the jobs until all have ended, or the first of them that fails and all before it; their ends by number. Nothing
/// if a signal came.
std::optional<std::vector<process::ChildEnd>> run_jobs(std::vector<Job> jobs, unsigned at_a_time,
                                                       const process::DeferredSignals& signals) {
  std::uint64_t peak = 0;  // of the runs that have ended: the others are expected to need as much
  LocalEngine engine(
      {at_a_time, free_memory()}, [&](std::size_t) { return peak; }, signals);
  std::vector<std::optional<process::ChildEnd>> ends(jobs.size());
  engine.submit(std::move(jobs));
  const auto has_ended = [](const auto& end) { return end.has_value(); };
  while (!std::ranges::all_of(ends, has_ended) && !signals.came())
    for (const JobEnd& end : engine.wait(kSignalWait)) {
      peak = std::max(peak, end.peak_bytes);
      if (end.number >= ends.size()) continue;
      ends[end.number] = end.end;
      if (end.end.status != 0) ends.resize(end.number + 1);
    }
  engine.cancel();
  if (signals.came()) return {};
  std::vector<process::ChildEnd> all;
  for (const std::optional<process::ChildEnd>& end : ends) all.push_back(*end);
  return all;
}

/// What the job left; its process may have ended before it could say why.
Work work_of(const std::string& name, const process::ChildEnd& end, const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    try {
      return simulation::read_work(file);
    } catch (const Error& error) {
      throw Error("under '{}': {}", name, error.what());
    }
  }
  if (end.signal != 0)
    throw Error("under '{}': the run was ended by signal {} ({})", name, end.signal, strsignal(end.signal));
  throw Error("under '{}': the run ended with exit status {}, as told above", name, end.status);
}

std::string complaint_of(const std::string& name, const process::Outcome& outcome) {
  return fmt::format("under '{}': {}", name, fmt::join(outcome.complaints, "\n  "));
}

}  // namespace

SideBySide compare_mechanisms(const WorkOptions& options) {
  simulation::require_comparable(options);
  const std::vector<MechanismChoice> choices = contestants(options);
  simulation::require_key_use(options, choices);
  const process::DeferredSignals signals;  // before the folder, which an interrupt must not leave behind
  const process::TemporaryFolder folder;
  simulation::write_work_options(options_of(folder.path()), options);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < choices.size(); ++i) jobs.push_back(job(i, choices[i], folder.path()));
  SideBySide compared;
  const unsigned at_a_time = options.jobs != 0 ? options.jobs : process::processors();
  const auto ends = run_jobs(std::move(jobs), at_a_time, signals);
  if (!ends) return compared;        // the signal ends us
  std::optional<std::size_t> first;  // that ran to its end
  for (std::size_t i = 0; i < ends->size(); ++i) {
    const std::string name = name_of(choices[i]);
    compared.works.emplace_back(name, work_of(name, (*ends)[i], file_of(folder.path(), i)));
    const process::Outcome& outcome = compared.works.back().second.outcome;
    if (report::is_cut_off(outcome.launches)) {
      compared.cut_off.push_back(complaint_of(name, outcome));
      continue;
    }
    if (outcome.status != 0) throw Error("{}", complaint_of(name, outcome));
    if (!first) first = i;
    const auto& [first_name, first_work] = compared.works[*first];
    if (!compared.difference)
      compared.difference = simulation::output_difference(first_name, first_work.outcome, name, outcome);
  }
  return compared;
}

int run_contestant(const std::vector<std::string>& words) {
  if (words.size() != 4) throw Error("`warpfork compare` starts this itself");
  return simulation::do_work_into(words[1], simulation::read_work_options(words[0]), {words[2], words[3]}) ? 0 : 1;
}

void SideBySide::require_same_output(bool numbers_may_differ) const {
  if (!difference || (difference->is_of_numbers && numbers_may_differ)) return;
  throw Error("{}{}", difference->text,
              difference->is_of_numbers ? "\n  if these numbers are times, not results: --numbers-may-differ" : "");
}

void SideBySide::require_whole() const {
  if (!cut_off.empty()) throw Error("{}", fmt::join(cut_off, "\n"));
}

report::Json SideBySide::document() const {
  report::Json results = report::Json::array();
  for (const auto& [name, work] : works) results.push_back(work.document());
  return {{"schema", 1}, {"results", std::move(results)}};
}

}  // namespace warpfork::sweep
