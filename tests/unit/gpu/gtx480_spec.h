// The GTX 480 of machines/gtx480.toml, as tests change it.
#pragma once

#include <string>

#include "config/description.h"
#include "gpu/machine_spec.h"

namespace warpfork::gpu {

inline MachineSpec gtx480() {
  MachineSpec spec;
  config::bind(spec, "machines/gtx480.toml");
  return spec;
}

/// With one core and, if given, another divergence mechanism.
inline MachineSpec one_core(const std::string& mechanism = "pdom") {
  MachineSpec spec = gtx480();
  spec.cores = 1;
  spec.divergence.mechanism = mechanism;
  return spec;
}

}  // namespace warpfork::gpu
