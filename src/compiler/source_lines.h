// Lines of the source in the PTX (PTX ISA, ".loc").
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX in which no instruction has line 0. LLVM gives it to what it made of code of several lines; such instructions
/// belong to the line before them, as for a debugger.
std::string without_line_zero(std::string_view ptx);

}  // namespace warpfork::compiler
