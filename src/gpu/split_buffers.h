// Which split has which instruction buffer entry of a core, and what each entry waits for (MULTIPATH section 3.3.1).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/fetch_unit.h"
#include "gpu/instruction_buffers.h"
#include "gpu/issue_conditions.h"
#include "gpu/lane_organisation.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

class SplitBuffers {
 public:
  SplitBuffers(const CoreSpec& spec, const BlockSlots& blocks, const IssueConditions& conditions)
      : blocks_(blocks),
        conditions_(conditions),
        entries_(spec.warps, spec.schedulers),
        of_warp_(warp_slots(spec)),
        of_scheduler_(spec.schedulers) {}

  void begin_kernel(const simt::Program& program);
  /// What is said from here on holds from this cycle on.
  void set_clock(Cycle now) { entries_.set_clock(now); }
  /// Entries bound from here on are fetched for when forget_fresh() is called again.
  void forget_fresh() { fresh_ = {}; }

  const InstructionBuffers& entries() const { return entries_; }
  EntrySet of_warp(unsigned warp) const { return of_warp_[warp]; }
  /// Of the scheduler's warps.
  EntrySet of_scheduler(unsigned scheduler) const { return of_scheduler_[scheduler]; }
  EntrySet of_warps(WarpSlots warps) const {
    EntrySet entries;
    warps.for_each([&](unsigned warp) { entries |= of_warp_[warp]; });
    return entries;
  }
  EntrySet ready() const {
    return entries_.in(EntryState::ReadySp) | entries_.in(EntryState::ReadySfu) | entries_.in(EntryState::ReadyMemory);
  }
  /// Whether any of the scheduler's warps are.
  bool any_ready(unsigned scheduler) const { return entries_.of_scheduler(scheduler).any_ready(); }
  EntrySet wanting_fetch() const { return entries_.in(EntryState::Empty)-fresh_; }
  /// Whether the issue stage finds entries that are ready or to be flushed.
  bool any_to_issue() const { return (ready() | entries_.in(EntryState::Redirected)).any(); }
  bool any_redirected() const { return entries_.in(EntryState::Redirected).any(); }

  /// The splits that may issue in the warp's place are these: they get entries, entries of splits that are gone are
  /// freed. Returns how many have none. What the warp's entries wait for is to be asked again, by refresh().
  unsigned bind(unsigned warp, std::span<const SplitId> runnable);
  /// Warps with splits that have none.
  WarpSlots waiting() const { return waiting_; }
  /// Whether bind() would find one.
  bool any_to_be_had() const { return entries_.in(EntryState::Free).any() || at_barriers().any(); }

  /// The entry has got the instructions that were fetched for it.
  void decode(const FetchUnit::Fetched& fetched);
  /// Entries of the scheduler's warps that hold instructions of another path lose them.
  void flush_redirected(unsigned scheduler) {
    if (entries_.of_scheduler(scheduler).any(EntryState::Redirected))
      flush(entries_.in(EntryState::Redirected)&of_scheduler_[scheduler]);
  }
  /// The entry's first instruction has been issued.
  void issued(unsigned entry) {
    InstructionBufferEntry& changed = entries_[entry];
    --changed.buffered;
    changed.fetch_pc = ++changed.buffer_pc;
  }

  /// Asks again what an entry waits for.
  void refresh(unsigned entry);
  void refresh_all(EntrySet entries) {
    entries.for_each([&](unsigned entry) { refresh(entry); });
  }
  void refresh_warp(unsigned warp) { refresh_all(of_warp_[warp]); }
  void refresh_warps(WarpSlots warps) { refresh_all(of_warps(warps)); }

  /// Of the entry's split: its next instruction.
  Pc pc_of(unsigned entry) const { return entries_[entry].split->pc; }
  /// What a split of the warp that may issue waits for, in words.
  std::string_view wait_of(unsigned warp, SplitId split) const;

 private:
  bool bind(unsigned warp, SplitId split, EntrySet& orphans);
  void release(unsigned entry);
  void count_threads(unsigned entry);
  void flush(EntrySet redirected);
  void refresh_held_up(unsigned entry);
  EntrySet at_barriers() const;

  const BlockSlots& blocks_;
  const IssueConditions& conditions_;
  Pc code_end_ = 0;  // of the kernel
  InstructionBuffers entries_;
  std::vector<EntrySet> of_warp_, of_scheduler_;
  EntrySet fresh_;     // bound in this cycle: their first fetch is in the next
  WarpSlots waiting_;  // have a runnable split without an entry
};

}  // namespace warpfork::gpu
