// The functional unit and the width that an instruction's own µop needs, apart from its accesses and branches.
#pragma once

#include "x86/decoder_text.h"
#include "x86/instruction.h"

namespace warpfork::x86 {

/// By mnemonic (uop_kinds.def), else by category and registers.
UopKind kind_of(const ZydisInstruction& instruction);

/// Of vector instructions: one element, 128 or 256 bits. What works on general-purpose, x87 and MMX registers is
/// Scalar.
UopWidth width_of(const ZydisInstruction& instruction);

}  // namespace warpfork::x86
