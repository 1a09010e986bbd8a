// What a machine asks of the code that is loaded for it.
#pragma once

#include "gpu/machine_spec.h"
#include "simt/code_options.h"

namespace warpfork::gpu {

/// Throws Error with reason and remedy if core.register_allocation or core.scalarize is no choice, or one that the
/// machine's divergence mechanism or its lanes cannot keep (docs/adr/0027).
simt::CodeOptions code_options(const MachineSpec& spec);

}  // namespace warpfork::gpu
