// Where the parts of warpfork lie that are files: beside the program in a build tree, in the prefix when installed. In
// a process of somebody else that has loaded libwarpfork.so they are found from that.
#pragma once

#include <filesystem>

namespace warpfork::process {

/// The folder of machine files (`machines`) and of `warpfork cc`'s parts (`toolchain`): share/warpfork beside the
/// program, or ../share/warpfork. Throws Error if there is none.
std::filesystem::path share_folder();

/// The folder of the CUDA runtime libraries: lib beside the program, or ../lib/warpfork. Throws Error if there is none.
std::filesystem::path library_folder();

/// The folder of the workloads' programs, with their inputs: workloads beside the program, or
/// ../lib/warpfork/workloads. Throws Error if there is none.
std::filesystem::path workloads_folder();

/// The program `warpfork`: beside us, or ../bin. Throws Error if there is none.
std::filesystem::path program_file();

}  // namespace warpfork::process
