#include "gpu/split_buffers.h"

#include <algorithm>
#include <array>

namespace warpfork::gpu {

namespace {

/// What a split waits for, by EntryState.
constexpr std::array<std::string_view, kEntryStates> kWaits = {"",
                                                               "waits for its instruction",
                                                               "waits for its instruction",
                                                               "waits at a memory barrier",
                                                               "waits for the compaction unit",
                                                               "waits for a result",
                                                               "waits for memory",
                                                               "waits for room in the scoreboard",
                                                               "waits for an entry of its reconvergence table",
                                                               "may issue",
                                                               "may issue",
                                                               "may issue"};

}  // namespace

void SplitBuffers::begin_kernel(const simt::Program& program) {
  program_ = &program;
  entries_ = InstructionBuffers(static_cast<unsigned>(of_warp_.size()));
}

/// An entry that passes from one split of the warp to another keeps its instructions: they may be the right ones, else
/// the next issue stage flushes them.
unsigned SplitBuffers::bind(unsigned warp, std::span<const SplitId> runnable) {
  const ResidentBlock& block = blocks_.block_of(warp);
  EntrySet orphans = 0;
  for (EntrySet rest = of_warp_[warp]; rest != 0; rest &= rest - 1) {
    const SplitId split = entries_[lowest_entry(rest)].split;
    bool owned = block.waits(split);
    for (const SplitId candidate : runnable) owned |= candidate == split;
    if (!owned) orphans |= rest & -rest;
  }
  waiting_ &= ~(WarpSlots{1} << warp);
  unsigned without_entry = 0;
  for (const SplitId split : runnable) without_entry += !bind(warp, split, orphans);
  if (without_entry != 0) waiting_ |= WarpSlots{1} << warp;
  for (; orphans != 0; orphans &= orphans - 1) release(lowest_entry(orphans));
  return without_entry;
}

/// Sees to it that the split has an entry; false if there is none to be had.
bool SplitBuffers::bind(unsigned warp, SplitId split, EntrySet& orphans) {
  for (EntrySet rest = of_warp_[warp] & ~orphans; rest != 0; rest &= rest - 1)
    if (entries_[lowest_entry(rest)].split == split) return true;
  if (orphans != 0) {
    entries_[lowest_entry(orphans)].split = split;
    orphans &= orphans - 1;
    return true;
  }
  const EntrySet free = entries_.in(EntryState::Free);
  unsigned entry;
  if (free != 0) {
    entry = free >> warp & 1 ? warp : lowest_entry(free);
  } else {
    // Splits at a barrier must not keep out those that the barrier waits for.
    const EntrySet stuck = at_barriers();
    if (stuck == 0) return false;
    entry = lowest_entry(stuck);
    release(entry);
  }
  const WarpSplit& bound = blocks_.block_of(warp).domain().split(split);
  entries_[entry] = {split, warp, 0, 0, bound.pc, EntryState::Free, 0};
  of_warp_[warp] |= EntrySet{1} << entry;
  scheduler_of(warp) |= EntrySet{1} << entry;
  fresh_ |= EntrySet{1} << entry;
  entries_.set_state(entry, EntryState::Empty, bound.lanes.count());
  return true;
}

void SplitBuffers::release(unsigned entry) {
  const unsigned warp = entries_[entry].warp;
  of_warp_[warp] &= ~(EntrySet{1} << entry);
  scheduler_of(warp) &= ~(EntrySet{1} << entry);
  entries_[entry].buffered = 0;
  entries_.set_state(entry, EntryState::Free, 0);
}

EntrySet SplitBuffers::at_barriers() const {
  EntrySet stuck = 0;
  EntrySet rest = entries_.in(EntryState::Suspended) | entries_.in(EntryState::Empty);
  for (; rest != 0; rest &= rest - 1)
    if (const InstructionBufferEntry& entry = entries_[lowest_entry(rest)];
        blocks_.block_of(entry.warp).waits(entry.split))
      stuck |= rest & -rest;
  return stuck;
}

void SplitBuffers::decode(const FetchUnit::Fetched& fetched) {
  InstructionBufferEntry& entry = entries_[fetched.entry];
  const std::size_t size = program_->code.size();
  if (entry.state == EntryState::Free || entry.buffered != 0) return;
  if (fetched.pc >= size) {  // behind a jump that ends the code: only its target is left to be fetched
    entry.fetch_pc = split_of(entry).pc;
    return;
  }
  entry.buffer_pc = fetched.pc;
  entry.buffered = static_cast<unsigned>(std::min<std::size_t>(fetched.count, size - fetched.pc));
  entry.fetch_pc = entry.buffer_pc + entry.buffered;
  refresh(fetched.entry);
}

void SplitBuffers::flush_redirected(EntrySet of) {
  for (EntrySet rest = entries_.in(EntryState::Redirected)&of; rest != 0; rest &= rest - 1) {
    const unsigned index = lowest_entry(rest);
    InstructionBufferEntry& entry = entries_[index];
    entry.buffered = 0;
    entry.fetch_pc = split_of(entry).pc;
    entries_.set_state(index, EntryState::Empty, entry.threads);
  }
}

void SplitBuffers::refresh(unsigned index) {
  const InstructionBufferEntry& entry = entries_[index];
  const ResidentBlock& block = blocks_.block_of(entry.warp);
  const WarpSplit& split = block.domain().split(entry.split);
  const bool waits = block.waits(entry.split);
  const auto state_of = [&] {
    if (entry.buffered == 0) return EntryState::Empty;
    if (waits) return EntryState::Suspended;
    if (entry.buffer_pc != split.pc) return EntryState::Redirected;
    return conditions_.of(entry.warp, split, program_->code[split.pc]);
  };
  entries_.set_state(index, state_of(), waits ? 0 : split.lanes.count());
}

std::string_view SplitBuffers::wait_of(unsigned warp, SplitId split) const {
  for (EntrySet rest = of_warp_[warp]; rest != 0; rest &= rest - 1)
    if (const InstructionBufferEntry& entry = entries_[lowest_entry(rest)]; entry.split == split)
      return kWaits[static_cast<unsigned>(entry.state)];
  return "waits for an instruction buffer entry";
}

}  // namespace warpfork::gpu
