// Where an executable gets its CUDA runtime from, as its ELF file says (System V ABI, "Object Files").
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpfork::process {

enum class RuntimeLinkage : std::uint8_t {
  None,    // no device code in it: no CUDA program, or one whose kernels lie in its libraries; also whatever is no ELF
  Shared,  // it asks for libcudart.so, or any library to register its kernels, so that ours can take the place
  Static,  // it holds device code and its own runtime (nvcc's default), which cannot be replaced
};

/// Never throws for the file's contents: a damaged file is the loader's to refuse.
RuntimeLinkage runtime_linkage(const std::filesystem::path& executable);

}  // namespace warpfork::process
