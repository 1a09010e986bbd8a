// A CUDA runtime that is linked into a program or a library (nvcc's default): calls of it become calls of this library.
#pragma once

#include <cstdint>

namespace warpfork::cuda {

/// In a process whose environment has this variable set the program itself holds a runtime.
inline constexpr const char* kLinkedRuntimeVariable = "WARPFORK_LINKED_RUNTIME";

/// By this name the loader's auditor (audit/main.cpp) finds the function below.
#define WARPFORK_REPLACE_LINKED_RUNTIME __cudaWarpforkReplaceLinkedRuntime

/// Overwrites the first bytes of every function of the program that has the name of one of this library's by a jump to
/// that (docs/adr/0032). To be called before any of them runs: when the library, which is to be preloaded, is
/// initialised. Ends the process with a text on standard error if the program's code cannot be changed.
void replace_linked_runtime();

/// The same for a library of this file, to whose addresses the loader has added `bias`.
extern "C" void WARPFORK_REPLACE_LINKED_RUNTIME(const char* file, std::uint64_t bias);

}  // namespace warpfork::cuda
