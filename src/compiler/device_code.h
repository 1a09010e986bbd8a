// Checks of the PTX that clang made, before it goes into a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfork::compiler {

/// Names of the functions that the text calls and does not define, sorted.
std::vector<std::string> missing_functions(std::string_view ptx);

/// Throws Error if the device code needs functions that nobody provides, with the remedy for each kind.
///   program.cu: device code calls malloc, but kernels have no heap: allocate on the host
void require_complete(std::string_view ptx, const std::string& source, bool with_libclc);

}  // namespace warpfork::compiler
