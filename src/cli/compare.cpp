#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/energy_table.h"
#include "cli/program_options.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "process/output_file.h"
#include "report/comparison.h"
#include "simulation/output_difference.h"
#include "simulation/side_by_side.h"

namespace warpfork::cli {

namespace {

void add_compare_options(Command& command, WorkOptions& options) {
  command
      .add_option("--divergence", options.divergences,
                  "the divergence mechanisms, separated by commas; default: all, or with --lanes the machine's")
      .separated_by_commas()
      .repeatable()
      .value_name("NAME,NAME…");
  command
      .add_option("--lanes", options.lanes,
                  "the lane organisations, separated by commas, each with each divergence mechanism; default: the "
                  "machine's")
      .separated_by_commas()
      .repeatable()
      .value_name("NAME,NAME…");
  command.add_option("--jobs", options.jobs, "mechanisms at a time; default: one for each processor")
      .value_name("N")
      .within(1, 1024);
  add_energy_option(command, options);
  add_work_options(command, options);
}

/// Each divergence mechanism with each lane organisation. Throws for an unknown name.
std::vector<MechanismChoice> contestants(const WorkOptions& options) {
  std::vector<std::string> divergences = options.divergences, lanes = options.lanes;
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

void require_success(const std::string& name, const process::Outcome& outcome) {
  if (outcome.status == 0) return;
  throw Error("under '{}': {}", name, fmt::join(outcome.complaints, "\n  "));
}

int compare(const WorkOptions& options) {
  process::require_writable(options.json);
  const std::vector<MechanismChoice> choices = contestants(options);
  const std::string first_name = name_of(choices.front());
  std::vector<report::Contestant> rows;
  std::vector<EnergyRow> energies;
  report::Json results = report::Json::array();
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const std::vector<simulation::Work> works = simulation::do_side_by_side(options, choices, jobs);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const simulation::Work& work = works[i];
    const std::string name = name_of(choices[i]);
    require_success(name, work.outcome);
    rows.push_back({name, report::sum_launches(work.outcome.launches)});
    results.push_back(work.document());
    if (work.energy) energies.push_back({name, *work.energy});
    simulation::require_same_output(first_name, works.front().outcome, name, work.outcome);
  }
  if (!options.json.empty()) {
    report::Json document = {{"schema", 1}, {"results", std::move(results)}};
    process::write_text(options.json, report::write_document(document));
  }
  if (options.json == "-") return 0;
  std::cout << report::comparison_table(rows) << '\n' << report::comparison_reasons(rows);
  if (!energies.empty()) std::cout << '\n' << energy_table(energies);
  if (!options.json.empty()) std::cout << "The whole result: " << options.json << '\n';
  return 0;
}

}  // namespace

void add_compare(Command& app, Session& session) {
  Command command = app.add_command("compare", "the same work under several mechanisms, in one table");
  command.usage(program_usage("compare"));
  command.footer(
      "The work is run once per mechanism, or combination of them; a difference in its output is an error that names "
      "the mechanism.\n"
      "Speed-ups are against the first mechanism.");
  const auto options = std::make_shared<WorkOptions>();
  add_compare_options(command, *options);
  command.when_named([command, options, &session] {
    take_program(command, session.words, *options, add_compare_options);
    session.status = compare(*options);
  });
}

}  // namespace warpfork::cli
