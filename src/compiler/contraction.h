// Products and sums that become one instruction.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// LLVM's text in which every product and sum may be fused with others, those of libraries, too, which were compiled
/// without that permission. Where clang begins with a CUDA source its back end fuses them all the same; where it begins
/// with LLVM's text, only such as say so.
std::string with_contraction(std::string_view llvm);

}  // namespace warpfork::compiler
