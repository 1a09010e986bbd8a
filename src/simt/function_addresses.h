// What a pointer to a device function holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ptx/module.h"

namespace warpfork::simt {

/// Of the functions whose addresses the module takes (ptx/function_addresses.h), by name and alias. Calls are inlined,
/// so that no code lies there: each has one instruction's place, before the module's kernels, where its code begins in
/// `code_place` (DeviceMemory::place_code). In a module of 32-bit addresses they are as its pointers hold them.
std::map<std::string, std::uint64_t> function_addresses(const ptx::Module& module, std::uint64_t code_place);

}  // namespace warpfork::simt
