// A program run with given arguments, without a shell.
#pragma once

#include <string>
#include <vector>

namespace warpfork::cuda {

/// Full path of a program of that name on PATH; empty if there is none.
std::string find_program(const std::string& name);

/// Runs command[0] (a path) with our environment and standard streams. Returns its exit status; 128 + number if a
/// signal ended it. Throws Error if it cannot be started.
int run_program(const std::vector<std::string>& command);

}  // namespace warpfork::cuda
