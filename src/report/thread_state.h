// Why a thread does not issue its next instruction, or that it can (MULTIPATH Figure 14).
#pragma once

#include <array>
#include <cstdint>

#include "base/named_counts.h"
#include "base/types.h"

namespace warpfork::report {

enum class ThreadState : std::uint8_t {
  Eligible,
  DataHazard,
  StructuralHazard,
  EmptyBuffer,
  Suspended,
  Barrier,
  Finished
};
inline constexpr unsigned kThreadStates = 7;
/// Thread-cycles by state.
using ThreadCycles = std::array<Cycle, kThreadStates>;

inline constexpr std::array<CaseKey, kThreadStates> kThreadStateKeys = {{
    {"eligible", "could issue its next instruction, whether it was chosen or not"},
    {"data_hazard", "waits for a register that is being written, or its warp for an atomic"},
    {"structural_hazard", "finds its unit's entry taken, or no scoreboard entry free"},
    {"empty_buffer", "has no decoded instruction (instruction cache, fetch, control hazard)"},
    {"suspended",
     "is in no split that may issue: it waits where threads meet, its path is not one of those that the mechanism "
     "runs, "
     "its split has no instruction buffer entry, or its warp is in the compaction unit"},
    {"barrier", "waits at a barrier, or its warp at a memory barrier"},
    {"finished", "has exited, while its block is still there"},
}};

}  // namespace warpfork::report
