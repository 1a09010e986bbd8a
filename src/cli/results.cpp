#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "process/output_file.h"
#include "report/text_table.h"
#include "results/store.h"

namespace warpfork::cli {

namespace {

struct ResultOptions {
  std::string folder, sql, csv;
  bool queried = false;
};

/// The folder that is named, or the only one here that a sweep made.
std::filesystem::path folder_of(const ResultOptions& options) {
  if (!options.folder.empty()) return options.folder;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator("."))
    if (entry.is_directory() && entry.path().extension() == ".results") found.push_back(entry.path().filename());
  if (found.size() != 1)
    throw Error("there {} here\n  name the folder by --results",
                found.empty() ? "is no folder of results (NAME.results)" : "are several folders of results");
  return found[0];
}

void build(const ResultOptions& options) {
  const std::filesystem::path folder = folder_of(options);
  const results::StoreContents contents = results::refresh(folder);
  std::cout << fmt::format("{}: {}, {} failed{}\n", results::database_of(folder).string(),
                           report::grouped(contents.points + contents.failures, "point"),
                           report::grouped(contents.failures), contents.is_fresh ? "; it was up to date" : "");
}

void query(const ResultOptions& options) {
  process::require_writable(options.csv);
  const std::filesystem::path folder = folder_of(options);
  process::require_apart({options.csv}, {results::database_of(folder).string()});
  results::refresh(folder);
  if (options.csv.empty())
    std::cout << results::query_table(folder, options.sql);
  else
    process::write_text(options.csv, results::query_csv(folder, options.sql));
}

}  // namespace

void add_results(Command& app, Session&) {
  Command command = app.add_command("results", "make a database of a sweep's results, or ask it");
  command.footer(
      "`warpfork results` makes or refreshes FOLDER/results.sqlite; `warpfork results query \"SELECT …\"` asks it.\n"
      "Views: points, kernels, groups, branches, lines; docs/sweep.md explains their columns.");
  const auto options = std::make_shared<ResultOptions>();
  command.add_option("--results", options->folder, "folder of results; default: the only one here")
      .value_name("FOLDER");
  Command ask = command.add_command("query", "refresh the database and print the rows of a query");
  ask.add_option("SQL", options->sql, "what to ask").required().help_name("\"SELECT …\"");
  ask.add_option("--results", options->folder, "folder of results; default: the only one here").value_name("FOLDER");
  ask.add_option("--csv", options->csv,
                 "write comma-separated values here instead, long ones whole; - is standard output")
      .value_name("FILE");
  ask.when_named([options] {
    options->queried = true;
    query(*options);
  });
  command.when_named([options] {
    if (!options->queried) build(*options);
  });
}

}  // namespace warpfork::cli
