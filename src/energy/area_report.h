// The area of a CPU core, structure by structure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "energy/core_structures.h"
#include "report/result_document.h"

namespace warpfork::energy {

/// Of the core with its caches, in mm². text():
///   structure              mm²
///   instruction cache     0.161
///   …
///   total                50.389
struct AreaReport {
  struct Row {
    std::string_view name;
    Part part;
    double mm2;
  };
  std::vector<Row> rows;  ///< only what the core has

  double of(Part part) const;
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
