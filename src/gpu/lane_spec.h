// How the threads of a warp instruction are laid over the arithmetic units of a core.
#pragma once

#include <string>

namespace warpfork::gpu {

struct LaneSpec {
  std::string organisation = "simt";
  unsigned alus = 8;
  unsigned width = 4;
  unsigned banks = 8;
  unsigned collector_groups = 6;

  template <class Visit>
  void visit(Visit&& v) {
    v("organisation", organisation, "see `warpfork mechanisms`");
    v("alus", alus, "arithmetic units of a core, which temporal lanes share out evenly", {1, 2048});
    v("width", width, "arithmetic units of a lane, of stsimt", {1, 64});
    v("banks", banks, "single-ported register banks of a temporal lane", {1, 32});
    v("collector_groups", collector_groups, "groups of threads whose operands a temporal lane gathers at a time",
      {1, 8});
  }
};

}  // namespace warpfork::gpu
