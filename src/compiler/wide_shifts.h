// A wrong translation of clang's before 19, put right.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX in which a value is extended with its sign and shifted left as the program says. Where that is a bit less than
/// the value's own width, clang (14; 19 and 22 do not) multiplies by 2^31, or 2^15, as a signed number, which is
/// negative. It multiplies by the negative number itself in no other case: that is the shift's result negated. Assembly
/// that the program holds stays as it is.
std::string with_wide_shifts(std::string_view ptx);

}  // namespace warpfork::compiler
