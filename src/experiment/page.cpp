#include "experiment/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/named.h"
#include "experiment/figure_tables.h"
#include "experiment/recordings.h"

namespace warpfork::experiment {

namespace {

using config::Claim;
using config::ExperimentPlan;
using config::Figure;
using report::TextTable;

constexpr std::string_view kBegin = "<!-- tables of ", kEnd = "<!-- end of ", kClose = " -->";

TextTable claims_of(const Recordings& recordings, const Figure& figure) {
  TextTable table({"the paper's statement", "paper", "here", "holds"});
  for (const Claim& claim : figure.claims) {
    const std::optional<bool> holds = recordings.holds(figure, claim);
    table.add({claim.text, claim.paper,
               claim.greater.empty() ? number_text(recordings.subject(figure, claim)) : std::string(),
               !holds   ? "?"
               : *holds ? "yes"
                        : "no"});
  }
  return table;
}

std::string figure_text(const ExperimentPlan& plan, const Totals& totals, const Figure& figure) {
  const Recordings recordings(plan, totals);
  std::vector<std::string> tables;
  for (const TextTable& table : tables_of(plan, recordings, figure)) tables.push_back(table.markdown());
  if (!figure.claims.empty()) tables.push_back(claims_of(recordings, figure).markdown());
  if (const std::optional<TextTable> bands = bands_of(plan, totals, figure)) tables.push_back(bands->markdown());
  return fmt::format("{}", fmt::join(tables, "\n"));
}

const Figure& figure_named(const ExperimentPlan& plan, const std::string& figure, const std::string& page) {
  const auto found = std::ranges::find(plan.figures, figure, &Figure::name);
  if (found == plan.figures.end())
    throw Error("{}: {}", page, no_such_name("figure", figure, "figures", names_of(plan.figures)));
  return *found;
}

/// The name in such a line; empty if it is none.
std::string name_in(std::string_view line, std::string_view head) {
  if (!line.starts_with(head) || !line.ends_with(kClose)) return "";
  return std::string(line.substr(head.size(), line.size() - head.size() - kClose.size()));
}

}  // namespace

std::string with_figures(const std::string& page, const std::string& name, const ExperimentPlan& plan,
                         const Totals& totals) {
  std::istringstream lines(page);
  std::string text, line, open;
  bool any = false;
  while (std::getline(lines, line)) {
    if (!open.empty() && name_in(line, kEnd) == open) open.clear();
    if (!open.empty()) continue;
    text += line + '\n';
    open = name_in(line, kBegin);
    if (open.empty()) continue;
    text += figure_text(plan, totals, figure_named(plan, open, name));
    any = true;
  }
  if (!open.empty()) throw Error("{}: lacks the line {}{}{}", name, kEnd, open, kClose);
  if (!any)
    throw Error("{}: has no place for a figure\n  it is between the lines {}NAME{} and {}NAME{}", name, kBegin, kClose,
                kEnd, kClose);
  return text;
}

}  // namespace warpfork::experiment
