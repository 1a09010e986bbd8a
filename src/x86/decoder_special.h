// Instructions whose µops do not follow from their operands alone.
#pragma once

#include "x86/decoder_text.h"
#include "x86/uop_builder.h"

namespace warpfork::x86 {

// Each builds the µops if the instruction is one of its own, else returns false.
bool build_stack(const ZydisInstruction& instruction, UopBuilder& uops);     // push, pop, leave, enter
bool build_branch(const ZydisInstruction& instruction, UopBuilder& uops);    // jumps, calls, returns, loops
bool build_string(const ZydisInstruction& instruction, UopBuilder& uops);    // movs and its kin, one iteration
bool build_exchange(const ZydisInstruction& instruction, UopBuilder& uops);  // xchg, xadd, cmpxchg
bool build_gather(const ZydisInstruction& instruction, UopBuilder& uops);
bool build_system(const ZydisInstruction& instruction, UopBuilder& uops);  // system calls, restored states, vzeroall

/// Of an instruction of these µops and accesses, of which there are some.
StackAccess stack_access_of(const ZydisInstruction& instruction, const Decoding& decoding);

}  // namespace warpfork::x86
