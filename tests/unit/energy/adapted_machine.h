// Machines of Table I as a core's recipe has them.
#pragma once

#include <string_view>

#include "ooo/cores.h"

namespace warpfork::energy {

inline ooo::MachineSpec adapted(std::string_view core, unsigned warps, unsigned threads) {
  ooo::MachineSpec machine;
  machine.warps = warps;
  machine.threads = threads;
  return ooo::find_core(core).adapt(machine);
}

}  // namespace warpfork::energy
