// Which split owns which instruction buffer entry of a core, and what each entry waits for.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "gpu/core.h"

namespace warpfork::gpu {

void Core::sync_warps(unsigned slot, WarpSet changed) {
  changed.for_each([&](unsigned warp) { sync_warp(blocks_.first_warp(slot) + warp); });
  if (waiting_for_entry_ != 0) serve_waiting_splits();
}

/// Splits that may issue get entries, entries of splits that are gone are freed. An entry that passes from one split of
/// the warp to another keeps its instructions: they may be the right ones, else the next issue stage flushes them.
void Core::sync_warp(unsigned warp) {
  WarpState& state = warps_[warp];
  const ResidentBlock& block = blocks_.block_of(warp);
  const std::span<const SplitId> runnable = block.domain().runnable(blocks_.in_block(warp));

  EntrySet orphans = 0;
  for (EntrySet rest = state.entries; rest != 0; rest &= rest - 1) {
    const SplitId split = buffers_[lowest_entry(rest)].split;
    bool owned = block.waits(split);
    for (const SplitId candidate : runnable) owned |= candidate == split;
    if (!owned) orphans |= rest & -rest;
  }
  waiting_for_entry_ &= ~(WarpSlots{1} << warp);
  unsigned without_entry = 0;
  for (const SplitId split : runnable) without_entry += !bind(warp, split, orphans);
  if (without_entry != 0) waiting_for_entry_ |= WarpSlots{1} << warp;
  for (; orphans != 0; orphans &= orphans - 1) release_entry(lowest_entry(orphans));
  registers_.homes().note(warp, runnable);
  blocks_.note_end(warp);
  census_.count_splits(warp, without_entry);
  refresh_warp(warp);
}

EntrySet Core::entries_of(WarpSlots places) const {
  EntrySet entries = 0;
  for (; places != 0; places &= places - 1) entries |= warps_[std::countr_zero(places)].entries;
  return entries;
}

/// Sees to it that the split has an entry; false if there is none to be had.
bool Core::bind(unsigned warp, SplitId split, EntrySet& orphans) {
  WarpState& state = warps_[warp];
  for (EntrySet rest = state.entries & ~orphans; rest != 0; rest &= rest - 1)
    if (buffers_[lowest_entry(rest)].split == split) return true;
  if (orphans != 0) {
    buffers_[lowest_entry(orphans)].split = split;
    orphans &= orphans - 1;
    return true;
  }
  const EntrySet free = buffers_.in(EntryState::Free);
  unsigned entry;
  if (free != 0) {
    entry = free >> warp & 1 ? warp : lowest_entry(free);
  } else {
    // Splits at a barrier must not keep out those that the barrier waits for.
    const EntrySet stuck = entries_at_barriers();
    if (stuck == 0) return false;
    entry = lowest_entry(stuck);
    release_entry(entry);
  }
  InstructionBufferEntry& bound = buffers_[entry];
  bound = {split, warp, 0, 0, blocks_.block_of(warp).domain().split(split).pc, EntryState::Free, 0};
  state.entries |= EntrySet{1} << entry;
  scheduler_entries_[warp % schedulers_.size()] |= EntrySet{1} << entry;
  fresh_ |= EntrySet{1} << entry;
  buffers_.set_state(entry, EntryState::Empty, blocks_.block_of(warp).domain().split(split).lanes.count());
  return true;
}

bool Core::at_barrier(unsigned entry) const {
  return blocks_.block_of(buffers_[entry].warp).waits(buffers_[entry].split);
}

EntrySet Core::entries_at_barriers() const {
  EntrySet stuck = 0;
  for (EntrySet rest = buffers_.in (EntryState::Suspended) | buffers_.in(EntryState::Empty); rest != 0;
       rest &= rest - 1)
    if (at_barrier(lowest_entry(rest))) stuck |= rest & -rest;
  return stuck;
}

void Core::release_entry(unsigned entry) {
  const unsigned warp = buffers_[entry].warp;
  warps_[warp].entries &= ~(EntrySet{1} << entry);
  scheduler_entries_[warp % schedulers_.size()] &= ~(EntrySet{1} << entry);
  buffers_[entry].buffered = 0;
  buffers_.set_state(entry, EntryState::Free, 0);
}

/// Splits for which there was no entry get those that have become free or are of no use, lowest warp slot first.
void Core::serve_waiting_splits() {
  for (WarpSlots rest = waiting_for_entry_; rest != 0; rest &= rest - 1) {
    if (buffers_.in(EntryState::Free) == 0 && entries_at_barriers() == 0) return;
    sync_warp(static_cast<unsigned>(std::countr_zero(rest)));
  }
}

void Core::refresh_entries(EntrySet entries) {
  for (; entries != 0; entries &= entries - 1) refresh(lowest_entry(entries));
}

void Core::refresh(unsigned index) {
  const InstructionBufferEntry& entry = buffers_[index];
  const ResidentBlock& block = blocks_.block_of(entry.warp);
  const WarpSplit& split = block.domain().split(entry.split);
  const bool waits = block.waits(entry.split);
  const auto state_of = [&] {
    if (waits) return entry.buffered == 0 ? EntryState::Empty : EntryState::Suspended;
    if (entry.buffered == 0) return EntryState::Empty;
    if (entry.buffer_pc != split.pc) return EntryState::Redirected;
    if (compaction_.forms(entry.warp)) return EntryState::Forming;
    if (operations_.at_memory_barrier(entry.warp)) return EntryState::Suspended;
    if (operations_.waits_for_table_entry(entry.warp)) return EntryState::TableMiss;
    if (operations_.waits_for_atomic(entry.warp)) return EntryState::BlockedMemory;
    const simt::Instruction& instruction = launch_->program->code[split.pc];
    switch (registers_.hazard(entry.warp, split)) {
      case Scoreboard::Hazard::Memory:
        return EntryState::BlockedMemory;
      case Scoreboard::Hazard::Register:
        return EntryState::BlockedRegister;
      case Scoreboard::Hazard::Full:
        return EntryState::ScoreboardFull;
      case Scoreboard::Hazard::None:
        break;
    }
    return kReadyStates[static_cast<unsigned>(timings_.of(instruction.timing).port)];
  };
  buffers_.set_state(index, state_of(), waits ? 0 : split.lanes.count());
}

}  // namespace warpfork::gpu
