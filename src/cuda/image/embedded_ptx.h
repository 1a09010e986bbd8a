// From the pointer that a program registers to its PTX text: the fat binary wrappers of nvcc and clang.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpfork::cuda {

/// The PTX text behind a registered wrapper (__fatBinC_Wrapper_t). `wrapper` must point to a wrapper, as the compilers
/// guarantee. Version 1 points to one fat binary; version 2 (nvcc -rdc=true) to linked machine code and a list of the
/// fat binaries that went into it, whose PTX is linked here; `name` stands in messages. Throws Error if there is none.
std::string embedded_ptx(const void* wrapper, std::string_view name);

/// The highest architecture that this PTX is for: 75 for compute_75; 0 if there is none. Throws Error for a damaged
/// image.
std::uint32_t embedded_architecture(const void* wrapper);

}  // namespace warpfork::cuda
