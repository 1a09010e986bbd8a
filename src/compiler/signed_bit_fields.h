// A wrong translation of clang's, put right.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX with each 64-bit bit field that clang lets reach past the top bit replaced by what the program says. For
/// `(x >> 63) & 7` of a signed x, clang (14 to 16 at least, at every -O) writes bfe.u64 with start 63 and length 3,
/// which has zeros where the shift has signs: NVPTXISelDAGToDAG's tryBFE takes the width of the shift's amount, 32, for
/// that of the value. Of unsigned values it writes no such field, as LLVM shortens their masks. Assembly that the
/// program holds stays as it is.
std::string with_signed_bit_fields(std::string_view ptx);

}  // namespace warpfork::compiler
