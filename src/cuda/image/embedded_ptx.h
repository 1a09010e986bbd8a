// From the pointer that a program registers to its PTX text: the fat binary wrappers of nvcc and clang.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfork::cuda {

/// The PTX texts behind a registered wrapper (__fatBinC_Wrapper_t). `wrapper` must point to a wrapper, as the compilers
/// guarantee. Version 1 points to one fat binary; version 2 (nvcc -rdc=true) to linked machine code and a list of the
/// fat binaries that went into it: several texts, to be linked. Throws Error if there is none.
std::vector<std::string> embedded_ptx(const void* wrapper);

/// The highest architecture that this PTX is for: 75 for compute_75; 0 if there is none. Throws Error for a damaged
/// image.
std::uint32_t embedded_architecture(const void* wrapper);

}  // namespace warpfork::cuda
