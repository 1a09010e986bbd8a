// Programs by their names, as a shell finds them.
#pragma once

#include <string>

namespace warpfork::process {

/// Full path of a program of that name on PATH; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace warpfork::process
