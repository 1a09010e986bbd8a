// What a run on a GPU cost, and what the chip measures: the prices that its machine names, applied to what was counted.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "energy/gpu_energy.h"
#include "energy/power_over_time.h"
#include "report/launch_record.h"
#include "report/result_document.h"

namespace warpfork::simulation {

/// The file that a machine names; `machine`: as in a result.
std::filesystem::path price_list(const report::Json& machine);

/// Throws Error if a machine can name no price list so. What stands in it is read where it is needed.
void require_price_list(const std::string& prices);

class RunEnergy {
 public:
  /// Of launches that were simulated in detail with their activity; others are left out. `machine`: as in a result.
  /// Throws Error if the price list that it names cannot be read.
  RunEnergy(const report::Json& machine, std::span<const report::LaunchRecord> launches);

  const energy::EnergyReport& energy() const { return sum_; }
  double square_millimetres() const { return area_.total(); }

  /// EnergyReport::text(), and
  ///   power 12.3 W on average, 45.6 W at most; energy-delay product 1.234e-09 J·s; 98.7 mm²
  std::string text() const;
  /// The keys `energy` and `area` (docs/result-schema.md).
  void add_to(report::Json& document) const;
  /// The same without each launch.
  void add_sums_to(report::Json& document) const;

 private:
  struct Launch {
    std::string name;
    energy::EnergyReport energy;
    Cycle window;
    energy::PowerOverTime power;
  };

  std::vector<Launch> launches_;
  energy::EnergyReport sum_, peak_;
  energy::AreaReport area_;
};

}  // namespace warpfork::simulation
