// What the widths of the stages count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ooo/choice.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

/// Table I says "4 instructions/cycle" of fetch, rename, issue and commit alike, and counts µops nowhere.
enum class WidthUnit : std::uint8_t {
  Decoded,       ///< fetch and decode take instructions, what is behind them µops
  Instructions,  ///< all stages instructions
  Uops,          ///< all stages µops
};

inline constexpr std::array kWidthUnits{
    Choice{"decoded", "instructions are fetched and decoded, µops renamed, issued and committed", WidthUnit::Decoded},
    Choice{"instructions", "of an instruction's µops the last one counts; merges and cuops count",
           WidthUnit::Instructions},
    Choice{"uops", "µops are also what is fetched and decoded", WidthUnit::Uops},
};

/// Whether the µop at `index` of the instruction takes some of the widths of the stages behind decoding: each does, or
/// an instruction's last one (of a rep every time).
inline bool takes_width(WidthUnit widths, const x86::StaticInstruction& instruction, std::size_t index) {
  return widths != WidthUnit::Instructions || index + 1 == instruction.uops.size();
}

}  // namespace warpfork::ooo
