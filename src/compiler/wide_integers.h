// Arithmetic of 128-bit integers for which clang has no code on a GPU.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace warpfork::compiler {

/// LLVM's text with calls in the place of 128-bit divisions, remainders, and conversions from and to floating-point
/// numbers; nothing if it has none. Who is called stands in `kWideIntegerHeaders`. clang ends with an internal error
/// there: it asks for the functions of a library that GPUs do not have.
std::optional<std::string> with_wide_integer_calls(std::string_view llvm);

/// Of the toolchain's headers.
inline constexpr std::array kWideIntegerHeaders{"warpfork/wide_division.h", "warpfork/wide_conversions.h"};

}  // namespace warpfork::compiler
