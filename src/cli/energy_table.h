// What `warpfork compare --energy` prints.
#pragma once

#include <string>
#include <vector>

#include "simulation/run_energy.h"

namespace warpfork::cli {

struct EnergyRow {
  std::string name;  // of the contestant
  simulation::RunEnergy energy;
};

/// The processor without its DRAM; `EDP`: against the first row.
///
///   mechanism         energy    power     EDP      area
///   pdom           123.45 µJ  12.34 W  100.0 %  98.7 mm²
///   multi-path-or  110.00 µJ  14.00 W   80.2 %  99.1 mm²
///
///   µJ              pdom  multi-path-or
///   fetch          12.34          11.23
///   …
std::string energy_table(const std::vector<EnergyRow>& rows);

}  // namespace warpfork::cli
