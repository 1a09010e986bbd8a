// The area of a machine, structure by structure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "energy/core_structures.h"
#include "report/result_document.h"

namespace warpfork::energy {

/// In mm², of a core with its caches or a GPU. text():
///   structure              mm²
///   instruction cache     0.161
///   …
///   total                50.389
struct AreaReport {
  struct Row {
    std::string_view name;
    unsigned part;  ///< of `parts`
    double mm2;
  };
  PartNames parts;
  std::vector<Row> rows;  ///< only what the machine has

  template <class Part>
  double of(Part part) const {
    return of_part(static_cast<unsigned>(part));
  }
  double of_part(unsigned part) const;
  double total() const;
  std::string text() const;
  /// {"unit": "mm2", "parts": {"front end": …}, "structures": {"instruction cache": …}, "total": …}
  report::Json to_json() const;
};

/// `machine` as the recipe of `core` has adapted it.
AreaReport area_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices);

/// The leakage of all that, in mW.
double leakage_mw_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices);

}  // namespace warpfork::energy
