// From the pointer that a program registers to its PTX text: the fat binary wrappers of nvcc and clang.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/image/fat_binary.h"

namespace warpfork::cuda {

/// The PTX texts behind a registered wrapper (__fatBinC_Wrapper_t), for the highest architecture, but none above
/// `highest`. `wrapper` must point to a wrapper, as the compilers guarantee. Version 1 points to one fat binary;
/// version 2 (nvcc -rdc=true) to linked machine code and a list of the fat binaries that went into it: several texts,
/// to be linked. Throws Error if there is none.
std::vector<std::string> embedded_ptx(const void* wrapper, std::uint32_t highest = FatBinary::kAnyArchitecture);

/// The architectures that this PTX is for, 75 for compute_75, the highest first; not those for which some of several
/// texts would be missing. Throws Error if there is none, and for a damaged image.
std::vector<std::uint32_t> embedded_architectures(const void* wrapper);

}  // namespace warpfork::cuda
