// __managed__ variables (CUDA C++ Programming Guide, "Memory Space Specifiers"), of which clang has none.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpfork::compiler {

/// Whether clang has ended at one, as it does where kManagedHeader is not included.
bool has_managed_variables(std::string_view errors);

/// Of the toolchain's headers: gives `__managed__` its meaning, in each of the passes over a source another one.
inline constexpr const char* kManagedHeader = "warpfork/managed_variables.h";

/// What that gives a variable: LLVM's text of either pass has it in the line that defines or declares one.
inline constexpr std::string_view kManagedSection = ", section \"warpfork_managed\"";

using ManagedNames = std::set<std::string, std::less<>>;

/// Of the managed variables of LLVM's text.
ManagedNames managed_names(std::string_view llvm);

/// PTX in which these variables say what they are.
///   .visible .global .align 4 .u32 x = 3;   ->   .visible .global .attribute(.managed) .align 4 .u32 x = 3;
std::string with_managed_attributes(std::string_view ptx, const ManagedNames& names);

}  // namespace warpfork::compiler
