// How a message names an instruction: where it stands and what it is called.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpfork::ptx {

/// "kernel.ptx:12"
std::string place_of(const Module& module, const Instruction& instruction);

/// " (saxpy.cu:7)", where `.loc` says it; else nothing.
std::string source_place_of(const Module& module, const Instruction& instruction);

/// Opcode with its dotted words in the order of the syntax: "ld.global.v2.f32".
std::string mnemonic(const Instruction& instruction);

/// What a message about an instruction that cannot be executed begins with:
///   saxpy.0.ptx:31: error: instruction 'wgmma.fence.sync.aligned' (saxpy.cu:7)
std::string what_is_refused(const Module& module, const Instruction& instruction);

}  // namespace warpfork::ptx
