// Machine code as a person reads it: disassembly, and the µops that a core is given.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "x86/instruction.h"
#include "x86/symbol_table.h"

namespace warpfork::x86 {

/// Intel's syntax, addresses in hex.
std::string disassemble(std::uint64_t pc, std::span<const std::uint8_t> bytes);

/// One instruction in lines: pc, place, machine code, disassembly, with the target's place behind a direct branch;
/// below it its µops (x86/uop_text.h), and marks.
///
///       401a4e  count+0xe            f0 48 01 07                       lock add [rdi], rax  ; atomic
///                                        load8 t0 < rdi
///                                        alu t0 flags < rax t0
///                                        store8 < rdi t0
std::string list_instruction(const StaticInstruction& instruction, std::span<const std::uint8_t> bytes,
                             const SymbolTable& symbols);

/// A line for bytes that are not decoded; `why` stands in the place of the disassembly.
std::string list_bytes(std::uint64_t pc, std::span<const std::uint8_t> bytes, const SymbolTable& symbols,
                       const std::string& why);

}  // namespace warpfork::x86
