// Checks of the PTX that clang made, before it goes into a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfork::compiler {

/// Names of the functions that the text calls and does not define, sorted.
std::vector<std::string> missing_functions(std::string_view ptx);

/// Whether a function is called as NVIDIA's libdevice calls it, whose place our headers take (__nv_…).
bool is_of_libdevice(std::string_view name);

/// Throws Error if the device code needs functions that nobody provides, with the remedy for each kind. Of relocatable
/// code another file may have those that are not mathematics.
///   program.cu: device code calls _Z6helperi, which is defined nowhere in this file: if another file has it, compile
///   both with -rdc=true
void require_complete(std::string_view ptx, const std::string& source, bool with_libclc, bool relocatable);

}  // namespace warpfork::compiler
