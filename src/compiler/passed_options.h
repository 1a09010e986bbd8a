// Options that nvcc passes on to its inner programs, of which there are none here: -Xcudafe, -Xnvlink.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// What is left out where nvcc passes on `word` by `option`; empty if that makes no difference. Throws Error for what
/// would change more than messages.
std::string_view left_out_of(const std::string& option, const std::string& word);

}  // namespace warpfork::compiler
