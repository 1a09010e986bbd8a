#include "gpu/split_buffers.h"

#include <algorithm>
#include <array>

namespace warpfork::gpu {

namespace {

/// What a split waits for, by EntryState.
constexpr std::array<std::string_view, kEntryStates> kWaits = {"",
                                                               "waits at a memory barrier",
                                                               "waits for the compaction unit",
                                                               "waits for memory",
                                                               "waits for an entry of its reconvergence table",
                                                               "waits for its instruction",
                                                               "waits for its instruction",
                                                               "waits for a result",
                                                               "waits for a result",
                                                               "waits for room in the scoreboard",
                                                               "may issue",
                                                               "may issue",
                                                               "may issue"};

}  // namespace

void SplitBuffers::begin_kernel(const simt::Program& program) {
  code_end_ = static_cast<Pc>(program.code.size());
  entries_ = InstructionBuffers(static_cast<unsigned>(of_warp_.size()), static_cast<unsigned>(of_scheduler_.size()));
}

/// An entry that passes from one split of the warp to another keeps its instructions: they may be the right ones, else
/// the next issue stage flushes them.
unsigned SplitBuffers::bind(unsigned warp, std::span<const SplitId> runnable) {
  const ResidentBlock& block = blocks_.block_of(warp);
  EntrySet orphans;
  of_warp_[warp].for_each([&](unsigned entry) {
    InstructionBufferEntry& bound = entries_[entry];
    bound.waits = block.waits(bound.split->id);
    bool owned = bound.waits;
    for (const SplitId candidate : runnable) owned |= candidate == bound.split->id;
    if (!owned) orphans.insert(entry);
  });
  waiting_.erase(warp);
  unsigned without_entry = 0;
  for (const SplitId split : runnable) without_entry += !bind(warp, split, orphans);
  if (without_entry != 0) waiting_.insert(warp);
  orphans.for_each([&](unsigned entry) { release(entry); });
  of_warp_[warp].for_each([&](unsigned entry) { count_threads(entry); });
  return without_entry;
}

/// How many threads of the split want to issue: other ones, or none, only after the warp's splits have changed.
void SplitBuffers::count_threads(unsigned entry) {
  const InstructionBufferEntry& bound = entries_[entry];
  entries_.set_threads(entry, bound.waits ? 0 : bound.split->lanes.count());
}

/// Sees to it that the split has an entry; false if there is none to be had.
bool SplitBuffers::bind(unsigned warp, SplitId split, EntrySet& orphans) {
  const auto is_owner = [&](unsigned entry) { return entries_[entry].split->id == split; };
  if ((of_warp_[warp] - orphans).any_of(is_owner)) return true;
  const WarpSplit& bound = blocks_.block_of(warp).domain().split(split);
  if (orphans.any()) {
    const unsigned entry = orphans.lowest();
    entries_[entry].split = &bound;
    orphans.erase(entry);
    return true;
  }
  const EntrySet free = entries_.in(EntryState::Free);
  unsigned entry;
  if (free.any()) {
    entry = free.contains(warp) ? warp : free.lowest();
  } else {
    // Splits at a barrier must not keep out those that the barrier waits for.
    const EntrySet stuck = at_barriers();
    if (stuck.none()) return false;
    entry = stuck.lowest();
    release(entry);
  }
  entries_.bind(entry, bound, warp);
  of_warp_[warp].insert(entry);
  of_scheduler_[entries_[entry].scheduler].insert(entry);
  fresh_.insert(entry);
  entries_.set_state(entry, EntryState::Empty);
  return true;
}

void SplitBuffers::release(unsigned entry) {
  const unsigned warp = entries_[entry].warp;
  of_warp_[warp].erase(entry);
  of_scheduler_[entries_[entry].scheduler].erase(entry);
  entries_[entry].buffered = 0;
  entries_.set_state(entry, EntryState::Free);
  entries_.set_threads(entry, 0);
}

EntrySet SplitBuffers::at_barriers() const {
  EntrySet stuck;
  const EntrySet idle = entries_.in(EntryState::Suspended) | entries_.in(EntryState::Empty);
  idle.for_each([&](unsigned index) {
    const InstructionBufferEntry& entry = entries_[index];
    if (blocks_.block_of(entry.warp).waits(entry.split->id)) stuck.insert(index);
  });
  return stuck;
}

void SplitBuffers::decode(const FetchUnit::Fetched& fetched) {
  InstructionBufferEntry& entry = entries_[fetched.entry];
  if (entry.state == EntryState::Free || entry.buffered != 0) return;
  if (fetched.pc >= code_end_) {  // behind a jump that ends the code: only its target is left to be fetched
    entry.fetch_pc = entry.split->pc;
    return;
  }
  entry.buffer_pc = fetched.pc;
  entry.buffered = std::min(fetched.count, code_end_ - fetched.pc);
  entry.fetch_pc = entry.buffer_pc + entry.buffered;
  refresh(fetched.entry);
}

void SplitBuffers::flush(EntrySet redirected) {
  redirected.for_each([&](unsigned index) {
    InstructionBufferEntry& entry = entries_[index];
    entry.buffered = 0;
    entry.fetch_pc = entry.split->pc;
    entries_.set_state(index, EntryState::Empty);
  });
}

/// Hardly any branch depends on the instruction.
void SplitBuffers::refresh(unsigned index) {
  const InstructionBufferEntry& entry = entries_[index];
  if (entry.buffered == 0) return entries_.set_state(index, EntryState::Empty);
  const unsigned signs = conditions_.signs(entry);
  if (entry.waits || !conditions_.tell_all(signs, entry)) [[unlikely]]
    return refresh_held_up(index);
  const EntryState state = conditions_.by(signs, entry);
  entries_.set_state(index, entry.buffer_pc == entry.split->pc ? state : EntryState::Redirected);
}

/// Of a decoded instruction of which signs do not say all. Apart, as few are.
[[gnu::noinline]] void SplitBuffers::refresh_held_up(unsigned index) {
  const InstructionBufferEntry& entry = entries_[index];
  EntryState state = entry.waits ? EntryState::Suspended : EntryState::Redirected;
  if (!entry.waits && entry.buffer_pc == entry.split->pc) state = conditions_.of(entry.warp, *entry.split);
  entries_.set_state(index, state);
}

std::string_view SplitBuffers::wait_of(unsigned warp, SplitId split) const {
  std::string_view wait = "waits for an instruction buffer entry";
  of_warp_[warp].for_each([&](unsigned entry) {
    if (entries_[entry].split->id == split) wait = kWaits[static_cast<unsigned>(entries_[entry].state)];
  });
  return wait;
}

}  // namespace warpfork::gpu
