// What a machine description says about the energy of a GPU beyond its units' sizes (docs/energy.md).
#pragma once

#include <string>

namespace warpfork::gpu {

struct EnergySpec {
  std::string prices = "40nm";
  bool gates_idle_lanes = true;
  unsigned register_file_width = 8;

  template <class Visit>
  void visit(Visit&& v) {
    v("prices", prices, "price list: a name in machines/prices/, or a file that ends in .toml");
    v("gates_idle_lanes", gates_idle_lanes,
      "whether arithmetic units and their pipelines stand still without a thread");
    v("register_file_width", register_file_width,
      "threads whose registers lie side by side in a bank (STSIMT Table I); of narrower lanes as many as they are wide",
      {1, 64});
  }
};

}  // namespace warpfork::gpu
