// What a floating-point number becomes that a small integer cannot hold.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX in which floating-point numbers become integers of 8 and 16 bits by way of 32, whose low bits are taken, as
/// nvcc does it. C++ leaves open what a number becomes that the integer cannot hold; clang converts to 16 bits, to the
/// nearest number that these hold: of 70000.0f `unsigned char` has 255, for nvcc 112. Assembly that the program holds
/// stays as it is.
std::string with_wide_conversions(std::string_view ptx);

}  // namespace warpfork::compiler
