#include "cli/energy_table.h"

#include <fmt/format.h>

#include <span>

#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::cli {

namespace {

std::string table_of_parts(const std::vector<EnergyRow>& rows) {
  std::vector<std::string> header{"µJ"};
  for (const EnergyRow& row : rows) header.push_back(row.name);
  report::TextTable table(header);
  const std::span<const std::string_view> names = energy::gpu_parts().names;
  for (unsigned part = 0; part < names.size(); ++part) {
    std::vector<std::string> cells{std::string(names[part])};
    for (const EnergyRow& row : rows)
      cells.push_back(fmt::format("{:.2f}", row.energy.energy().nanojoules[part] / 1000));
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::string energy_table(const std::vector<EnergyRow>& rows) {
  report::TextTable table({"mechanism", "energy", "power", "EDP", "area"});
  const double first = rows.front().energy.energy().edp();
  for (const EnergyRow& row : rows) {
    const energy::EnergyReport& energy = row.energy.energy();
    table.add({row.name, fmt::format("{:.2f} µJ", energy.processor() / 1000), fmt::format("{:.2f} W", energy.watts()),
               report::percent(report::ratio(energy.edp(), first)),
               fmt::format("{:.1f} mm²", row.energy.square_millimetres())});
  }
  return table.text() + '\n' + table_of_parts(rows);
}

}  // namespace warpfork::cli
