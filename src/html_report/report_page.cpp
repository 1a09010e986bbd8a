#include "html_report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "html/page.h"
#include "html_report/assets.h"
#include "html_report/experiment_figures.h"
#include "html_report/kernel_costs.h"
#include "html_report/roofline.h"
#include "html_report/rounded.h"
#include "html_report/run.h"
#include "html_report/run_figures.h"
#include "html_report/source_text.h"
#include "html_report/speed_ups.h"
#include "html_report/timeline.h"

namespace warpfork::html_report {

namespace {

using report::Json;

Json metrics_json() {
  Json all = Json::array();
  for (const Metric& metric : metrics())
    all.push_back({{"key", metric.key},
                   {"title", metric.title},
                   {"unit", metric.unit},
                   {"about", metric.about},
                   {"digits", metric.digits}});
  return all;
}

Json numbers(const std::vector<std::optional<double>>& values) {
  Json all = Json::array();
  for (const std::optional<double>& value : values) all.push_back(value ? Json(rounded(*value)) : Json());
  return all;
}

Json speed_ups_json(const SpeedUps& speed_ups) {
  if (!speed_ups.compares_any()) return nullptr;
  Json values = Json::array();
  for (const auto& row : speed_ups.values) values.push_back(numbers(row));
  return {{"contestants", speed_ups.contestants}, {"baselines", speed_ups.baselines},
          {"groups", speed_ups.groups},           {"values", std::move(values)},
          {"means", numbers(speed_ups.means)},    {"groups_of_means", speed_ups.groups_of_means}};
}

/// Those of experiments have figures of their own, made as the paper makes them: only among themselves are they
/// compared, run by run.
SpeedUps compare(std::span<const Run> others, std::span<const Run> of_experiments) {
  SpeedUps all = speed_ups(others, varying_settings(others));
  const SpeedUps rest = speed_ups(of_experiments, varying_settings(of_experiments));
  all.of_run.insert(all.of_run.end(), rest.of_run.begin(), rest.of_run.end());
  return all;
}

/// Runs have the number of their machine's roof.
std::size_t roof_number(std::vector<Roof>& roofs, const Roof& roof) {
  const auto found = std::find(roofs.begin(), roofs.end(), roof);
  if (found != roofs.end()) return static_cast<std::size_t>(found - roofs.begin());
  roofs.push_back(roof);
  return roofs.size() - 1;
}

Json run_json(const Run& run, const std::vector<std::string>& varying, std::optional<double> speed_up,
              std::vector<Roof>& roofs) {
  Json settings = Json::array();
  for (const std::string& name : varying) settings.push_back(run.value(name));
  Json json = {{"label", varying.empty() ? run.value("program") : values_of(run, varying)},
               {"file", run.file},
               {"settings", std::move(settings)},
               {"metrics", metric_values(run, speed_up)}};
  json.update(figures_of(run));
  if (const auto point = roofline_point(run))
    json["roofline"] = {roof_number(roofs, *roof_of(run)), rounded(point->intensity), rounded(point->performance)};
  return json;
}

/// What all runs have in common, for the page's head.
Json common_settings(const std::vector<Run>& runs, const std::vector<std::string>& varying) {
  Json common = Json::array();
  if (runs.empty()) return common;
  for (const Setting& setting : runs.front().settings)
    if (!setting.value.empty() && std::find(varying.begin(), varying.end(), setting.name) == varying.end())
      common.push_back({setting.name, setting.value});
  return common;
}

/// "" if there is none.
std::string title_of_experiments(const Results& results) {
  if (results.experiments.empty()) return "";
  return results.experiments.front().at("experiment").get<std::string>() + ": results beside the paper's";
}

std::string title_of(const std::vector<Run>& runs) {
  std::vector<std::string> programs;
  for (const Run& run : runs)
    if (std::find(programs.begin(), programs.end(), run.value("program")) == programs.end())
      programs.push_back(run.value("program"));
  if (programs.size() > 4) return fmt::format("{} programs", programs.size());
  return fmt::format("{}", fmt::join(programs, ", "));
}

/// Where source files are looked for: as asked, then beside the results, then here.
std::vector<std::filesystem::path> places_of(const Results& results, const ReportOptions& options) {
  std::vector<std::filesystem::path> places(options.sources.begin(), options.sources.end());
  places.insert(places.end(), results.folders.begin(), results.folders.end());
  places.push_back(".");
  return places;
}

Json timelines(const std::vector<Run>& runs) {
  Json all = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (Json timeline = timeline_of(runs[i]); !timeline.is_null()) {
      timeline["run"] = i;
      all.push_back(std::move(timeline));
    }
  return all;
}

Json kernels_of(const std::vector<Run>& runs) {
  Json all = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (Json& kernel : kernel_costs(runs[i])) {
      kernel["run"] = i;
      all.push_back(std::move(kernel));
    }
  return all;
}

}  // namespace

Json report_data(Results results, const ReportOptions& options) {
  Json experiments = Json::array();
  for (const Json& experiment : results.experiments) experiments.push_back(experiment_figures(experiment));
  const std::vector<std::filesystem::path> places = places_of(results, options);
  const std::filesystem::file_time_type written = results.written;
  const std::size_t failures = results.failures, others = results.runs.size();
  std::string title = options.title.empty() ? title_of_experiments(results) : options.title;

  const std::vector<Run> runs = runs_of(std::move(results));
  if (title.empty()) title = title_of(runs);
  const std::vector<std::string> varying = varying_settings(runs);
  const SpeedUps all = compare(std::span(runs).first(others), std::span(runs).subspan(others));
  std::vector<Roof> roofs;
  Json rows = Json::array(), roof_rows = Json::array(), kernels = kernels_of(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) rows.push_back(run_json(runs[i], varying, all.of_run[i], roofs));
  for (const Roof& roof : roofs) roof_rows.push_back({roof.peak, rounded(roof.bytes)});
  Json sources = source_texts(kernels, places, written);
  return {{"title", std::move(title)},
          {"failures", failures},
          {"common", common_settings(runs, varying)},
          {"settings", varying},
          {"metrics", metrics_json()},
          {"runs", std::move(rows)},
          {"speed_ups", speed_ups_json(all)},
          {"roofs", std::move(roof_rows)},
          {"timelines", timelines(runs)},
          {"kernels", std::move(kernels)},
          {"sources", std::move(sources)},
          {"experiments", std::move(experiments)}};
}

std::string report_page(const Json& data) {
  html::Page page;
  page.title = data.at("title").get<std::string>();
  page.body = "<main id=\"report\"><noscript>This page draws by JavaScript, which is off.</noscript></main>";
  page.styles = {kReportStyles};
  page.scripts = {kCharts, kReportScript};
  if (!data.at("kernels").empty()) page.scripts.insert(page.scripts.begin(), kGraphLayout);
  page.data = {{"data", data.dump(-1, ' ', false, Json::error_handler_t::replace)}};
  return html::assembled(page);
}

}  // namespace warpfork::html_report
