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
///   part                 nJ   share
///   front end         1 234   12.3 %
///   …
///   processor        10 034
///   with memory      12 034
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
  /// Mean power of the processor.
  double watts() const { return seconds == 0 ? 0 : processor() * 1e-9 / seconds; }
  /// Energy-delay product of the processor, in J·s.
  double edp() const { return processor() * 1e-9 * seconds; }
  std::string text() const;
  /// {"unit": "nJ", "parts": {"front end": …}, "processor": …, "total": …, "seconds": …, "watts": …}
  report::Json to_json() const;
};

/// `machine` as the recipe of `core` has adapted it.
EnergyReport energy_of(const ooo::MachineSpec& machine, std::string_view core, const ooo::CoreCounts& counts,
                       const PriceList& prices);

/// Of one cycle in which everything works (peak_activity()): its watts() are the peak power.
EnergyReport peak_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices);

}  // namespace warpfork::energy
