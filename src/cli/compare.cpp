#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output_difference.h"
#include "cli/output_file.h"
#include "cli/usage_formatter.h"
#include "cli/work.h"
#include "divergence/registry.h"
#include "report/comparison.h"

namespace warpfork::cli {

namespace {

void add_compare_options(CLI::App& command, WorkOptions& options) {
  command
      .add_option("--divergence", options.contestants, "the divergence mechanisms, separated by commas; default: all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,NAME…");
  add_work_options(command, options);
}

std::vector<std::string> contestants(const WorkOptions& options) {
  const std::vector<std::string> names =
      options.contestants.empty() ? divergence_mechanism_names() : options.contestants;
  for (const std::string& name : names) find_divergence_mechanism(name);  // throws for an unknown one
  return names;
}

void require_success(const std::string& name, const Outcome& outcome) {
  if (outcome.status == 0) return;
  throw Error("under '{}': {}", name, fmt::join(outcome.complaints, "\n  "));
}

int compare(const WorkOptions& options) {
  require_writable(options.json);
  const std::vector<std::string> names = contestants(options);
  std::vector<report::Contestant> rows;
  report::Json results = report::Json::array();
  Outcome first;
  for (const std::string& name : names) {
    Work work = do_work(options, name, GuestOutput::Captured);
    require_success(name, work.outcome);
    rows.push_back({name, work.document["totals"]});
    results.push_back(std::move(work.document));
    if (name == names.front())
      first = std::move(work.outcome);
    else
      require_same_output(names.front(), first, name, work.outcome);
  }
  if (!options.json.empty()) {
    report::Json document = {{"schema", 1}, {"results", std::move(results)}};
    write_text(options.json, report::write_document(document));
  }
  if (options.json == "-") return 0;
  std::cout << report::comparison_table(rows) << '\n' << report::comparison_reasons(rows);
  if (!options.json.empty()) std::cout << "The whole result: " << options.json << '\n';
  return 0;
}

}  // namespace

void add_compare(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("compare", "the same work under several divergence mechanisms, in one table");
  command->formatter(std::make_shared<UsageFormatter>("compare"));
  command->footer(
      "The work is run once per mechanism; a difference in its output is an error that names the mechanism.\n"
      "Speed-ups are against the first mechanism.");
  const auto options = std::make_shared<WorkOptions>();
  add_compare_options(*command, *options);
  command->callback([command, options, &session] {
    take_program(*command, session.words, *options, add_compare_options);
    session.status = compare(*options);
  });
}

}  // namespace warpfork::cli
