// The functions that a pointer may name.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpfork::ptx {

/// Whose addresses the module takes, in the order of its text: in an initialiser, by an instruction that does not call
/// them, or in a table of `.calltargets` (PTX ISA, "call"). Entries, too: code that launches from the device names
/// them.
std::vector<const Function*> functions_with_addresses(const Module& module);

}  // namespace warpfork::ptx
