// What each cause of a stall holds back: one list for those who name the cause and those who name the place.
#pragma once

#include <array>

#include "gpu/instruction_buffers.h"
#include "report/stall_cause.h"

namespace warpfork::gpu {

/// Why a split in this state does not issue.
constexpr report::StallCause cause_of(EntryState state) {
  using report::StallCause;
  switch (state) {
    case EntryState::ReadySp:
    case EntryState::ReadySfu:
    case EntryState::ReadyMemory:
      return StallCause::Pipeline;
    case EntryState::BlockedRead:
    case EntryState::BlockedRegister:
    case EntryState::ScoreboardFull:
      return StallCause::Scoreboard;
    case EntryState::Empty:
    case EntryState::Redirected:
      return StallCause::Fetch;
    case EntryState::BlockedMemory:
    case EntryState::TableMiss:
      return StallCause::Memory;
    case EntryState::Forming:
      return StallCause::Compaction;
    case EntryState::Suspended:
      return StallCause::Barrier;
    case EntryState::Free:
      break;
  }
  return StallCause::NoWarp;
}

/// By state.
inline constexpr std::array<report::StallCause, kEntryStates> kStallCauseOf = [] {
  std::array<report::StallCause, kEntryStates> causes{};
  for (unsigned state = 0; state < kEntryStates; ++state) causes[state] = cause_of(static_cast<EntryState>(state));
  return causes;
}();

/// The core's entries that a cause holds back.
inline EntrySet held_back(const InstructionBuffers& entries, report::StallCause cause) {
  EntrySet held;
  for (unsigned state = 0; state < kEntryStates; ++state)
    if (state != static_cast<unsigned>(EntryState::Free) && kStallCauseOf[state] == cause)
      held |= entries.in(static_cast<EntryState>(state));
  return held;
}

}  // namespace warpfork::gpu
