#include "energy/area_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/text_table.h"

namespace warpfork::energy {

namespace {

constexpr auto kExecution = static_cast<unsigned>(Part::Execution);

/// What is no array: units, crossbar, control.
std::vector<AreaReport::Row> logic_rows(const CoreStructures& core, const PriceList& prices) {
  const LogicPrices& price = prices.logic;
  std::vector<AreaReport::Row> rows{
      {"integer units", kExecution, core.integer_units * price.integer_mm2},
      {"multiply units", kExecution, core.multiply_units * price.multiply_mm2},
      {"floating-point and vector units", kExecution, core.float_units * price.float_mm2},
  };
  if (core.lanes > 1)
    rows.push_back({"L1 crossbar", static_cast<unsigned>(Part::L1AndTlb), crossbar_mm2(core.lanes, kLaneBits, prices)});
  rows.push_back({"control", static_cast<unsigned>(Part::FrontEnd), core.control_mm2});
  return rows;
}

}  // namespace

double AreaReport::of_part(unsigned part) const {
  double sum = 0;
  for (const Row& row : rows)
    if (row.part == part) sum += row.mm2;
  return sum;
}

double AreaReport::total() const {
  double sum = 0;
  for (const Row& row : rows) sum += row.mm2;
  return sum;
}

std::string AreaReport::text() const {
  report::TextTable table({"structure", "mm²"});
  for (const Row& row : rows) table.add({std::string(row.name), fmt::format("{:.3f}", row.mm2)});
  table.add({"total", fmt::format("{:.3f}", total())});
  return table.text();
}

report::Json AreaReport::to_json() const {
  report::Json json = {{"unit", "mm2"}, {"parts", report::Json::object()}, {"structures", report::Json::object()}};
  for (unsigned part = 0; part < parts.names.size(); ++part)
    if (const double area = of_part(part); area != 0) json["parts"][std::string(parts.names[part])] = area;
  for (const Row& row : rows) json["structures"][std::string(row.name)] = row.mm2;
  json["total"] = total();
  return json;
}

AreaReport area_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices) {
  const CoreStructures structures = structures_of(machine, core, prices);
  AreaReport area{core_parts(), {}};
  for (unsigned i = 0; i < kStructures; ++i) {
    const auto structure = static_cast<Structure>(i);
    if (structures[structure].entries != 0)
      area.rows.push_back(
          {name_of(structure), static_cast<unsigned>(part_of(structure)), area_mm2(structures[structure], prices)});
  }
  for (const AreaReport::Row& row : logic_rows(structures, prices)) area.rows.push_back(row);
  return area;
}

double leakage_mw_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices) {
  const CoreStructures structures = structures_of(machine, core, prices);
  double sum = 0;
  for (const Array& array : structures.arrays) sum += leakage_mw(array, prices);
  for (const AreaReport::Row& row : logic_rows(structures, prices)) sum += row.mm2 * prices.wires.leakage_mw;
  return sum;
}

}  // namespace warpfork::energy
