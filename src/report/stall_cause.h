// Why a scheduler issued nothing in a cycle.
#pragma once

#include <array>
#include <cstdint>

#include "base/named_counts.h"

namespace warpfork::report {

enum class StallCause : std::uint8_t { Pipeline, Memory, Scoreboard, Barrier, Compaction, Fetch, NoWarp };
inline constexpr unsigned kStallCauses = 7;

inline constexpr std::array<CaseKey, kStallCauses> kStallCauseKeys = {{
    {"pipeline",
     "a warp was ready, but its unit or its operand collector was not, or `core.issue_interval` had not passed"},
    {"memory", "a warp waited for a register that a load or an atomic will write"},
    {"scoreboard", "a warp waited for a register that another instruction will write"},
    {"barrier", "warps waited at a barrier or a memory barrier"},
    {"compaction",
     "the threads of its live warps ran nowhere or in another warp's place: they waited for other warps at a branch or "
     "its reconvergence point, or were in the warp compaction unit (`tbc`, `capri`)"},
    {"fetch", "warps had no decoded instruction (instruction cache, fetch, control hazard)"},
    {"no_warp", "none of its own warps was live while another scheduler of the core had one"},
}};

}  // namespace warpfork::report
