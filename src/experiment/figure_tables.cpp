#include "experiment/figure_tables.h"

#include <fmt/format.h>

#include "base/named.h"
#include "experiment/band.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::ExperimentPlan;
using config::Figure;
using config::Mean;
using config::Quantity;
using report::TextTable;

/// Of three significant digits.
int decimals(double value) {
  const double size = value < 0 ? -value : value;
  return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3;
}

/// Three significant digits, without an exponent.
std::string digits(double value) { return fmt::format("{:.{}f}", value, decimals(value)); }

/// The values of a quantity under a configuration; without one, the paper's.
struct Column {
  std::string title;
  const Quantity& quantity;
  std::string configuration = {};
};

std::string cell_text(const Recordings& recordings, const Column& column, const std::string& benchmark) {
  if (!column.configuration.empty())
    return number_text(recordings.value(column.quantity, benchmark, column.configuration));
  const auto number = column.quantity.paper.find(benchmark);
  return number == column.quantity.paper.end() ? "–" : digits(number->second);
}

std::string mean_text(const Recordings& recordings, const Figure& figure, const Column& column) {
  if (column.configuration.empty()) return "";
  return number_text(recordings.mean(figure, column.quantity, column.configuration));
}

/// A row for each benchmark, and one of means.
TextTable table_of(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure,
                   const std::string& title, const std::vector<Column>& columns) {
  std::vector<std::string> heading = {title}, means = {std::string(name_of(figure.mean))};
  for (const Column& column : columns) {
    heading.push_back(column.title);
    means.push_back(mean_text(recordings, figure, column));
  }
  TextTable table(heading);
  for (const std::string& benchmark : figure.rows(plan.benchmarks)) {
    std::vector<std::string> row = {benchmark};
    for (const Column& column : columns) row.push_back(cell_text(recordings, column, benchmark));
    table.add(std::move(row));
  }
  if (figure.mean != Mean::None) table.add(std::move(means));
  return table;
}

/// Of a figure that shows one configuration: a column for each quantity, with the paper's numbers beside it.
TextTable table_of_one(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure,
                       const std::string& configuration) {
  std::vector<Column> columns;
  for (const Quantity& quantity : figure.quantities) {
    columns.push_back({quantity.title, quantity, configuration});
    if (!quantity.paper.empty()) columns.push_back({"paper", quantity});
  }
  return table_of(plan, recordings, figure, configuration, columns);
}

/// Configurations by quantities.
TextTable table_of_means(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure) {
  std::vector<std::string> heading = {std::string(name_of(figure.mean))};
  for (const Quantity& quantity : figure.quantities) heading.push_back(quantity.title);
  TextTable table(heading);
  for (const std::string& name : figure.columns(plan.configurations)) {
    std::vector<std::string> row = {name};
    for (const Quantity& quantity : figure.quantities)
      row.push_back(number_text(recordings.mean(figure, quantity, name)));
    table.add(std::move(row));
  }
  return table;
}

std::string point_text(const Band::Point& point) {
  return fmt::format("{} ({})", digits(point.value), point.choice.empty() ? "as it is" : point.choice);
}

}  // namespace

std::string number_text(const std::optional<Spread>& number) {
  if (!number) return "–";
  const std::string text = digits(number->mean);
  if (number->least == number->most) return text;
  return fmt::format("{} ±{:.{}f}", text, (number->most - number->least) / 2, decimals(number->mean));
}

std::vector<TextTable> tables_of(const ExperimentPlan& plan, const Recordings& recordings, const Figure& figure) {
  const std::vector<std::string> shown = figure.columns(plan.configurations);
  if (figure.by_configuration) return {table_of_means(plan, recordings, figure)};
  if (shown.size() == 1 && figure.quantities.size() > 1) return {table_of_one(plan, recordings, figure, shown.front())};
  std::vector<TextTable> tables;
  for (const Quantity& quantity : figure.quantities) {
    std::vector<Column> columns;
    for (const std::string& name : shown) columns.push_back({name, quantity, name});
    if (!quantity.paper.empty()) columns.push_back({"paper", quantity});
    tables.push_back(table_of(plan, recordings, figure, quantity.title, columns));
  }
  return tables;
}

std::optional<TextTable> bands_of(const ExperimentPlan& plan, const Totals& totals, const Figure& figure) {
  TextTable table({"over what the paper leaves open", "paper", "as it is", "lowest", "highest"});
  bool any = false;
  for (const Claim& claim : figure.claims)
    if (const std::optional<Band> band = band_of(plan, totals, figure, claim)) {
      table.add({claim.text, claim.paper.empty() ? "–" : claim.paper, digits(band->own.value),
                 point_text(band->lowest()), point_text(band->highest())});
      any = true;
    }
  return any ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace warpfork::experiment
