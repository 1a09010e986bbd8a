// From machine code to what a core is told: chapters 2 to 5 of the Intel SDM, volume 2, read by Zydis and corrected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "x86/instruction.h"

namespace warpfork::x86 {

/// An instruction with its own arrays; `instruction.uops` and `.accesses` are empty until someone keeps them.
struct Decoding {
  StaticInstruction instruction;
  std::vector<Uop> uops;
  std::vector<MemoryAccess> accesses;
};

/// The instruction that is all of `bytes`. Throws Error with pc and bytes in hex where that is none, or one that is not
/// supported (AVX-512).
Decoding decode(std::uint64_t pc, std::span<const std::uint8_t> bytes);

/// Length of the instruction at the beginning of `bytes`; 0 where none begins there or it is cut off. Says nothing
/// about whether it is supported.
std::size_t instruction_length(std::span<const std::uint8_t> bytes);

}  // namespace warpfork::x86
