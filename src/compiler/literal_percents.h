// Percent signs in the text of inline assembly that stand for themselves, though there is but one of them.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// Whether clang has ended at such a text: it knows `%0`, `%[name]` and `%c0`, and takes `%laneid` for a mistake.
bool has_refused_percents(std::string_view errors);

/// The preprocessed source with each of them doubled: nvcc takes `asm("mov.u32 %0, %laneid;" : "=r"(lane))` as it is
/// meant. A text without operands after it says what it says.
std::string with_literal_percents(std::string_view preprocessed);

}  // namespace warpfork::compiler
