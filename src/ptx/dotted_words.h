// What a dotted word of an instruction is: `.f32` a type, `.v4` a vector width, `.global` a state space, the rest
// modifiers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ptx/cursor.h"
#include "ptx/instruction.h"

namespace warpfork::ptx {

/// Of `.const[N]`.
inline constexpr std::uint64_t kMaxConstantBank = 10;

/// 2, 4 or 8 for "v2", "v4", "v8".
std::optional<unsigned> vector_width_from(std::string_view word);

/// Files the word under Instruction::types, space, vector_width or modifiers. Throws Error for one that PTX does not
/// know.
void add_dotted_word(Instruction& instruction, const Token& word, const Cursor& cursor);

}  // namespace warpfork::ptx
