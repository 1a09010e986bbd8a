// µops as text, as listings and tests write them.
#pragma once

#include <string>
#include <string_view>

#include "x86/instruction.h"

namespace warpfork::x86 {

/// rax … r15, flags, ymm0 … ymm15, x87, control, t0, t1.
std::string_view name(RegisterId id);

/// nop, alu, imul, idiv, branch, load, store, vec, fadd, fmul, fdiv, serialize.
std::string_view name(UopKind kind);

/// What it is, what it writes, `<`, what it reads. A kind is followed by `.sse` or `.avx` if the µop is that wide;
/// loads and stores by the bytes of their access, with `?` if it is masked. Of `add [rdi+rax*8], rdx`:
///   load8 t0 < rdi rax
///   alu t0 flags < rdx t0
///   store8 < rdi rax t0
std::string to_text(const Uop& uop, std::span<const MemoryAccess> accesses);

}  // namespace warpfork::x86
