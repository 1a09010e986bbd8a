// What each cause of a stall holds back: one list for those who name the cause and those who name the place.
#pragma once

#include "gpu/split_buffers.h"
#include "report/stall_cause.h"

namespace warpfork::gpu {

/// The core's entries that a cause holds back. Inlined, so that a cause which is known costs no more than its sets.
[[gnu::always_inline]] inline EntrySet held_back(const SplitBuffers& buffers, report::StallCause cause) {
  using report::StallCause;
  const InstructionBuffers& entries = buffers.entries();
  switch (cause) {
    case StallCause::Pipeline:
      return buffers.ready();
    case StallCause::Scoreboard:
      return entries.in(EntryState::BlockedRegister) | entries.in(EntryState::ScoreboardFull);
    case StallCause::Fetch:
      return entries.in(EntryState::Empty) | entries.in(EntryState::Redirected);
    case StallCause::Memory:
      return entries.in(EntryState::BlockedMemory) | entries.in(EntryState::TableMiss);
    case StallCause::Compaction:
      return entries.in(EntryState::Forming);
    case StallCause::Barrier:
      return entries.in(EntryState::Suspended);
    case StallCause::NoWarp:
      break;
  }
  return {};
}

}  // namespace warpfork::gpu
