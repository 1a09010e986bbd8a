#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "html_report/report_page.h"
#include "html_report/result_files.h"
#include "process/output_file.h"

namespace warpfork::cli {

namespace {

struct PageOptions {
  std::vector<std::string> results;
  std::string output = "report.html";
  html_report::ReportOptions report;
};

void require_sources(const std::vector<std::string>& sources) {
  for (const std::string& source : sources)
    if (!std::filesystem::exists(source)) throw Error("--source {}: there is no such file or folder", source);
}

void write_report(const PageOptions& options) {
  require_sources(options.report.sources);
  process::require_apart({options.output}, options.results);
  process::require_writable(options.output);
  const std::vector<std::filesystem::path> files(options.results.begin(), options.results.end());
  const report::Json data = html_report::make_of_results(files, [&](html_report::Results results) {
    return html_report::report_data(std::move(results), options.report);
  });
  const std::size_t runs = data.at("runs").size();
  const std::string page = html_report::report_page(data);
  process::write_text(options.output, page);
  if (options.output != "-")
    std::cout << fmt::format("{}: {}, {:.1f} MB\n", options.output, counted(runs, "run"),
                             static_cast<double>(page.size()) / 1e6);
}

}  // namespace

void add_report(Command& app, Session&) {
  Command command = app.add_command("report", "results as a page of charts for the browser, in one file");
  command.footer(
      "RESULTS are what `run`, `compare`, `cpu run`, `cpu compare` and `experiment` write with --json, and folders of "
      "results of `sweep`.\n"
      "Speed-ups are against the first mechanism (or lanes, core …). What was counted with `run --lines --interval N "
      "--energy` is shown, too; docs/report.md explains the charts.");
  const auto options = std::make_shared<PageOptions>();
  command.add_option("RESULTS", options->results, "files of results, or folders of a sweep's")
      .required()
      .help_name("RESULTS…");
  command.add_option("-o,--output", options->output, "the page; - is standard output")
      .value_name("FILE.html")
      .shows_default();
  command.add_option("--title", options->report.title, "the page's title; default: what was run").value_name("TEXT");
  command
      .add_option("--source", options->report.sources,
                  "a source file, or a folder to look for them in; default: beside the results, and here")
      .repeatable()
      .value_name("FILE|FOLDER");
  command.when_named([options] { write_report(*options); });
}

}  // namespace warpfork::cli
