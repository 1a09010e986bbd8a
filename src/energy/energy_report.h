// The energy of a run: events times prices, and leakage over time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "energy/activity.h"
#include "energy/core_structures.h"
#include "report/result_document.h"

namespace warpfork::energy {

/// text():
///   part                 nJ    share       W  at peak      J·s
///   front end         1 234   12.3 %   1.234    2.345  1.2e-12
///   …
///   processor        10 034           10.034   23.456  1.0e-11
///   with memory      12 034           12.034   24.456  1.2e-11
struct EnergyReport {
  explicit EnergyReport(PartNames parts) : parts(parts), nanojoules(parts.names.size()) {}

  PartNames parts;
  double seconds = 0;
  std::vector<double> nanojoules;  ///< by part

  template <class Part>
  double of(Part part) const {
    return nanojoules[static_cast<unsigned>(part)];
  }
  double total() const;
  /// Without the DRAM: what the papers' tools model.
  double processor() const { return total() - nanojoules[parts.memory]; }
  /// Mean power of the processor, and of a part.
  double watts() const { return watts_for(processor()); }
  double watts_of(unsigned part) const { return watts_for(nanojoules[part]); }
  /// Energy-delay product of the processor, and what a part has of it, in J·s.
  double edp() const { return edp_for(processor()); }
  double edp_of(unsigned part) const { return edp_for(nanojoules[part]); }
  /// `peak`: of the same machine, for the column `at peak`.
  std::string text(const EnergyReport& peak) const;
  /// {"unit": "nJ", "parts": {"front end": …}, "processor": …, "total": …, "seconds": …, "watts": …}
  report::Json to_json() const;

 private:
  double watts_for(double nanojoules) const { return seconds == 0 ? 0 : nanojoules * 1e-9 / seconds; }
  double edp_for(double nanojoules) const { return nanojoules * 1e-9 * seconds; }
  std::vector<std::string> row(std::string name, double nanojoules, std::string share, double peak_watts) const;
};

/// `machine` as the recipe of `core` has adapted it.
EnergyReport energy_of(const ooo::MachineSpec& machine, std::string_view core, const ooo::CoreCounts& counts,
                       const PriceList& prices);

/// Of one cycle in which everything works (peak_activity()): its watts() are the peak power.
EnergyReport peak_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices);

}  // namespace warpfork::energy
