// Where the cycles of a CPU core's warps go.
#pragma once

#include <array>
#include <cstdint>

#include "base/named_counts.h"

namespace warpfork::ooo {

/// What a warp did in a cycle, told from its oldest µop that has not committed (in order: not issued).
enum class CycleCause : std::uint8_t {
  Busy,      ///< a µop committed (in order: issued)
  Memory,    ///< it waits for a load or store
  Latency,   ///< for a result or the masks of its path, its own or an operand's
  Width,     ///< for a unit, or behind other warps
  Rename,    ///< decoded, but not renamed: no register, no room, or a merge too many
  FrontEnd,  ///< none is decoded: after a wrong prediction, behind other warps, or where paths end
  Waiting,   ///< all its threads are at a barrier, or wait for a lock or another thread
  Ended,
};
inline constexpr unsigned kCycleCauses = 8;

inline constexpr std::array<CaseKey, kCycleCauses> kCycleCauseKeys = {{
    {"busy", "commits a µop (in order: issues one)"},
    {"memory", "waits for a load or store"},
    {"latency", "for another result, or for the masks of a path"},
    {"width", "for a unit, or behind other warps"},
    {"rename", "has decoded µops that are not renamed: no register, no room, a merge too many"},
    {"front_end", "has none: after a wrong prediction, behind other warps, where paths end"},
    {"waiting", "all its threads are at a barrier, or wait for a lock or each other"},
    {"ended", "has no thread left"},
}};

}  // namespace warpfork::ooo
