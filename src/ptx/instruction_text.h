// How a message names an instruction: where it stands and what it is called.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpfork::ptx {

/// "kernel.ptx:12"
std::string place_of(const Module& module, const Instruction& instruction);

/// Opcode with its dotted words: "ld.global.v2.f32".
std::string mnemonic(const Instruction& instruction);

}  // namespace warpfork::ptx
