// Quotients of 128 bits, for which clang has no code on a GPU.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpfork::compiler {

/// LLVM's text with calls in the place of 128-bit divisions and remainders; nothing if it has none. Who is called
/// stands in `kWideDivisionHeader`. clang 14 ends with an internal error there: it asks for the functions of a library
/// that GPUs do not have.
std::optional<std::string> with_division_calls(std::string_view llvm);

/// Of the toolchain's headers.
inline constexpr const char* kWideDivisionHeader = "warpfork/wide_division.h";

}  // namespace warpfork::compiler
