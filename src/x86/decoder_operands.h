// Which registers an instruction reads and writes: what Zydis says, with corrections after the Intel SDM.
#pragma once

#include <optional>
#include <vector>

#include "x86/decoder_text.h"
#include "x86/uop_builder.h"

namespace warpfork::x86 {

struct RegisterWrite {
  RegisterId id = 0;
  bool merges = false;  ///< a part of the register is kept: the one µop that writes it must read it, too
};

/// The operands of an instruction as a renamer sees them.
struct Operands {
  RegisterList reads;  ///< without those of addresses, and without kept parts of what is written; flags are the last
  std::vector<RegisterWrite> writes;  ///< without the flags
  bool writes_flags = false;
  std::optional<MemoryPlace> load, store;  ///< the same place where memory is read and written
};

/// Corrections on top of Zydis:
/// - what is written only under a condition (cmov), or in part (8 and 16 bits of a general-purpose register, the lower
///   elements of an xmm register by an SSE instruction, one of the x87 registers), is kept in part;
/// - VEX instructions keep nothing, and the upper half of a ymm register is taken to be clean for SSE instructions;
/// - flags that are partly kept are read, as by inc (carry), bt, rotations and shifts by cl, whose count may be 0;
/// - idioms whose result does not depend on their operands read nothing: xor r,r and its kin; sbb r,r reads flags only;
/// - DF is not among the flags: it is set in no compiled code.
Operands operands_of(const ZydisInstruction& instruction);

/// Nothing for registers that nobody renames: rip, segments, control registers.
std::optional<RegisterId> register_id(ZydisRegister zydis);

/// Base and index. Segment bases do not change.
MemoryPlace place_of(const ZydisDecodedOperand& memory);

}  // namespace warpfork::x86
