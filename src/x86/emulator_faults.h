// What the recorder's emulator, QEMU 7.2, executes wrongly.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "x86/elf_program.h"

namespace warpfork::x86 {

/// Why the instruction's result is wrong under the emulator; empty if it is not.
std::string emulator_fault(std::uint64_t pc, std::span<const std::uint8_t> bytes);

/// `code`: a RecordedCode's bytes. Throws Error with the first such instruction's place and the remedy: what the
/// program did behind it is not what it would have done.
void refuse_emulator_faults(std::span<const std::uint8_t> code, const ElfProgram& program, const std::string& name);

}  // namespace warpfork::x86
