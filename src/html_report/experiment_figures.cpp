#include "html_report/experiment_figures.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "html_report/rounded.h"

namespace warpfork::html_report {

namespace {

using report::Json;

Json drawn(const Json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object.at(key).is_number()) return nullptr;
  return rounded(object.at(key).get<double>());
}

/// In the order in which they come up.
std::vector<std::string> configurations_of(const Json& quantity) {
  std::vector<std::string> names;
  for (const Json& row : quantity.at("values"))
    for (const auto& [name, value] : row.items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

Json chart_of(const Json& figure, const Json& quantity) {
  const bool has_mean = figure.contains("mean") && figure.at("mean").is_string();
  Json categories = Json::array(), series = Json::array();
  for (const auto& [benchmark, values] : quantity.at("values").items()) categories.push_back(benchmark);
  if (has_mean) categories.push_back(figure.at("mean"));
  for (const std::string& name : configurations_of(quantity)) {
    Json values = Json::array();
    for (const Json& row : quantity.at("values")) values.push_back(drawn(row, name));
    if (has_mean) values.push_back(drawn(quantity.value("means", Json::object()), name));
    series.push_back({{"name", name}, {"values", std::move(values)}});
  }
  if (quantity.contains("paper") && !quantity.at("paper").empty()) {
    Json values = Json::array();
    for (const auto& [benchmark, row] : quantity.at("values").items())
      values.push_back(drawn(quantity.at("paper"), benchmark));
    if (has_mean) values.push_back(nullptr);
    series.push_back({{"name", "paper"}, {"values", std::move(values)}});
  }
  return {{"title", quantity.at("title")}, {"categories", std::move(categories)}, {"series", std::move(series)}};
}

}  // namespace

Json experiment_figures(const Json& experiment) {
  Json figures = Json::array();
  for (const Json& figure : experiment.at("figures")) {
    Json charts = Json::array();
    for (const Json& quantity : figure.at("quantities")) charts.push_back(chart_of(figure, quantity));
    figures.push_back({{"name", figure.at("name")},
                       {"title", figure.at("title")},
                       {"charts", std::move(charts)},
                       {"claims", figure.value("claims", Json::array())}});
  }
  return {{"experiment", experiment.at("experiment")},
          {"paper", experiment.at("paper")},
          {"scale", experiment.at("scale")},
          {"figures", std::move(figures)}};
}

}  // namespace warpfork::html_report
