// Another wrong translation of clang's, put right.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// Clang that does it right.
inline constexpr unsigned kFirstWithAnonymous = 15;

/// Whether a mangled name is that of a variable which is declared static, at any scope but a function's.
bool is_static(std::string_view name);

/// LLVM's text in which a file's own variables in device memory are there for the host, though their namespace or type
/// has no name. clang 14 takes such a variable, if it is not static, for the device's alone: what kernels only read
/// becomes its first value, and what they only write goes.
///   @_ZN12_GLOBAL__N_11xE = internal addrspace(1) global i32 3
///   ->   @_ZN12_GLOBAL__N_11xE = addrspace(1) externally_initialized global i32 3
std::string with_anonymous_variables(std::string_view llvm);

}  // namespace warpfork::compiler
