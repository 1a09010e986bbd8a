// How tables show program counters and masks.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork {

/// A program counter as a table shows it; "-" where there is none.
inline std::string pc_text(Pc pc) { return pc == kNoPc ? "-" : fmt::format("{}", pc); }

/// Digits that the masks of a warp launched with these lanes need.
inline unsigned mask_width(ActiveMask launched) { return static_cast<unsigned>(std::bit_width(launched.bits())); }

}  // namespace warpfork
