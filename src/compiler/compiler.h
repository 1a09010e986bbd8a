// `warpfork cc`: builds CUDA programs with Debian's clang, without any NVIDIA package.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace warpfork::compiler {

/// Where the parts of the compiler lie.
struct ToolchainPaths {
  std::filesystem::path include_folder;  // of cuda_runtime.h
  std::filesystem::path library_folder;  // of libcudart.so.12
};

/// What `warpfork cc --help` says.
std::string compile_usage();

/// Compiles and links as the arguments say; clang's own messages go to standard error. Returns the exit status of the
/// first step that fails, else 0. Throws Error for arguments that make no sense, if there is no clang, or if device
/// code calls what cannot be simulated.
int compile(std::span<const std::string> arguments, const ToolchainPaths& paths);

}  // namespace warpfork::compiler
