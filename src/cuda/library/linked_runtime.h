// A CUDA runtime that is linked into the program itself (nvcc's default): calls of it become calls of this library.
#pragma once

namespace warpfork::cuda {

/// In a process whose environment has this variable set.
inline constexpr const char* kLinkedRuntimeVariable = "WARPFORK_LINKED_RUNTIME";

/// Overwrites the first bytes of every function of the program that has the name of one of this library's by a jump to
/// that (docs/adr/0032). To be called before any of them runs: when the library, which is to be preloaded, is
/// initialised. Ends the process with a text on standard error if the program's code cannot be changed.
void replace_linked_runtime();

}  // namespace warpfork::cuda
