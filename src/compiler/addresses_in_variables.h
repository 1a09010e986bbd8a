// Pointers that begin as an address inside a variable, for which clang has no code on a GPU.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// LLVM's text in which a global pointer whose initial value is an address inside a variable is an array of one such
/// pointer. clang 14 ends with an internal error otherwise; of an array it writes the same bytes.
///   @p = global i32* getelementptr (…), align 8   ->   @p = global [1 x i32*] [i32* getelementptr (…)], align 8
std::string with_addresses_in_arrays(std::string_view llvm);

}  // namespace warpfork::compiler
