// Where the cycles of a CPU core's warps go.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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
inline constexpr std::array<std::string_view, kCycleCauses> kCycleCauseNames = {
    "busy", "memory", "latency", "width", "rename", "front_end", "waiting", "ended"};

}  // namespace warpfork::ooo
