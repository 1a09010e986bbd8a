// Another wrong translation of clang's, put right.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX in which 64-bit values are rotated by their amount modulo 64. Of `s &= 63; s != 0 ? x << s | x >> (64 - s) : x`
/// LLVM makes a rotation, which needs no mask, and clang (14 to 18 at least) writes it without one, as shifts by s and
/// 64 - s: from 64 on nothing is left of x. Assembly that the program holds stays as it is.
std::string with_masked_rotations(std::string_view ptx);

}  // namespace warpfork::compiler
