// What a floating-point number becomes that an integer cannot hold.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// Option of clang's front end with which it calls `llvm.fptoui.sat` and its like where a program converts, and so
/// leaves literals for us to convert: as an instruction it takes those for undefined that are out of range.
inline constexpr const char* kDefinedConversions = "-fno-strict-float-cast-overflow";

/// LLVM's text, as the front end writes it by that option, in which floating-point numbers become integers as nvcc has
/// it: of less than 32 bits by way of 32, whose low bits are taken, and literals by the nearest number that the integer
/// holds. What the optimizer finds out to be constant and 32 bits do not hold is some number, most often 0. All others
/// are LLVM's instructions again, one of the GPU's each. C++ leaves open what a number becomes that the integer cannot
/// hold. Clang's back end converts to 16 bits, to the nearest number that these hold, and takes it for granted that 8
/// bits hold it: of 300.0f `unsigned char` has 300, and 44 where it is stored first.
std::string with_wide_conversions(std::string_view llvm);

}  // namespace warpfork::compiler
