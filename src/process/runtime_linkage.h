// Where an executable gets its CUDA runtime from, as its ELF file says (System V ABI, "Object Files").
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace warpfork::process {

enum class RuntimeLinkage : std::uint8_t {
  None,    // no device code in it: no CUDA program, or one whose kernels lie in its libraries, which the loader's
           // auditor looks into; also whatever is no ELF
  Shared,  // it asks for libcudart.so, any library to register its kernels, or, with no runtime of its own, libcuda.so,
           // so that ours can take the place
  Linked,  // it holds device code and its own runtime (nvcc's default), of which ours can take the place
  Static,  // the same, but stripped of its symbols or linked without a loader, so that ours cannot
};

/// Never throws for the file's contents: a damaged file is the loader's to refuse.
RuntimeLinkage runtime_linkage(const std::filesystem::path& executable);

/// The release whose runtime is linked (cuda/image/linked_functions.h).
std::string_view linked_release(const std::filesystem::path& executable);

}  // namespace warpfork::process
