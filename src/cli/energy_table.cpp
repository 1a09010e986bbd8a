#include "cli/energy_table.h"

#include <fmt/format.h>

#include "report/ratio.h"
#include "report/text_table.h"

namespace warpfork::cli {

std::string energy_table(const std::vector<EnergyRow>& rows) {
  report::TextTable table({"mechanism", "energy", "power", "EDP", "area"});
  const double first = rows.front().energy.energy().edp();
  for (const EnergyRow& row : rows) {
    const energy::EnergyReport& energy = row.energy.energy();
    table.add({row.name, fmt::format("{:.2f} µJ", energy.processor() / 1000), fmt::format("{:.2f} W", energy.watts()),
               report::percent(report::ratio(energy.edp(), first)),
               fmt::format("{:.1f} mm²", row.energy.square_millimetres())});
  }
  return table.text();
}

}  // namespace warpfork::cli
