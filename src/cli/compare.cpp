#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/energy_table.h"
#include "cli/program_options.h"
#include "process/output_file.h"
#include "report/comparison.h"
#include "report/words.h"
#include "sweep/side_by_side.h"

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
  command.add_option("--jobs", options.jobs, "mechanisms at a time, as memory allows; default: one for each processor")
      .value_name("N")
      .within(1, 1024);
  command.add_flag("--numbers-may-differ", options.numbers_may_differ,
                   "what the program prints may differ in numbers, as times do");
  add_energy_option(command, options);
  add_work_options(command, options);
}

void print_tables(const std::vector<report::Contestant>& rows, const std::vector<EnergyRow>& energies) {
  const std::string text = report::comparison_table(rows) + '\n' + report::comparison_reasons(rows);
  std::cout << text << '\n' << report::words_of(text);
  if (!energies.empty()) std::cout << '\n' << energy_table(energies);
}

/// Nothing of the runs is lost if their outputs differ, or some were cut off.
int compare(const WorkOptions& options) {
  require_apart({options.json}, options);
  process::require_writable(options.json);
  const sweep::SideBySide compared = sweep::compare_mechanisms(options);
  std::vector<report::Contestant> rows;
  std::vector<EnergyRow> energies;
  for (const auto& [name, work] : compared.works) {
    const auto& launches = work.outcome.launches;
    rows.push_back({name, report::sum_launches(launches), report::is_cut_off(launches)});
    if (work.energy) energies.push_back({name, *work.energy});
  }
  if (!options.json.empty()) process::write_text(options.json, report::write_document(compared.document()));
  if (options.json != "-") print_tables(rows, energies);
  if (!options.json.empty() && options.json != "-") std::cout << "The whole result: " << options.json << '\n';
  compared.require_whole();
  compared.require_same_output(options.numbers_may_differ);
  if (compared.difference) std::cerr << "warpfork: note: " << compared.difference->text << '\n';
  return 0;
}

}  // namespace

void add_compare(Command& app, Session& session) {
  Command command = app.add_command("compare", "the same work under several mechanisms, in one table");
  command.usage(program_usage("compare"));
  command.footer(
      "The work is run once per mechanism, or combination of them; a difference in its output is an error that names "
      "the mechanism, behind the table.\n"
      "Speed-ups are against the first mechanism.");
  const auto options = std::make_shared<WorkOptions>();
  add_compare_options(command, *options);
  command.when_named([command, options, &session] {
    take_program(command, session.words, *options, add_compare_options);
    session.status = compare(*options);
  });
}

void add_contestant(Command& app, Session& session) {
  Command command = app.add_command("contestant", "run the work under one mechanism: what `compare` starts");
  command.hidden();
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("WORDS", *words, "files of the options and for what it comes to, and mechanisms");
  command.when_named([words, &session] { session.status = sweep::run_contestant(*words); });
}

}  // namespace warpfork::cli
