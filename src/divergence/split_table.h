// The warp split table, ST (MULTIPATH section 3.1): the splits of one warp that run in parallel blocks.
#pragma once

#include <array>
#include <span>
#include <string>

#include "divergence/reconvergence_table.h"
#include "divergence/warp_local.h"

namespace warpfork {

/// The splits live in the domain's array; this table knows which slots are in use, in what order their splits issue,
/// and the index (R-Index) of the entry that each is pending in.
class SplitTable {
 public:
  /// Where a new split goes: its slot, and its place among those that may issue.
  struct Place {
    unsigned slot;
    unsigned position;
  };

  /// At most `max_splits` splits may issue at a time, 0 = no limit.
  void launch(SplitSlots slots, unsigned max_splits);

  std::span<const SplitId> runnable() const { return {ready_.data(), std::min(ready_count_, limit_)}; }

  const WarpSplit& operator[](unsigned slot) const { return slots_[slot]; }
  bool holds(unsigned slot) const { return used_.contains(slot); }
  SlotSet used() const { return used_; }
  /// Those that do not wait.
  SlotSet ready() const;
  /// The largest number of splits so far.
  unsigned most_used() const { return most_used_; }
  ReconvergenceIndex entry(unsigned slot) const { return entry_[slot]; }
  /// First pc of the block that the split is in; kNoPc once it has waited at a barrier there.
  Pc block(unsigned slot) const { return block_[slot]; }

  /// The first free slot, last in order.
  Place next_place() const { return {used_.lowest_free(), ready_count_}; }
  void insert(Place place, Pc pc, Pc block, ActiveMask lanes, Pc reconvergence_pc, ReconvergenceIndex entry);
  /// Returns where it stood.
  Place erase(unsigned slot);

  void enter_block(unsigned slot, Pc first) { slots_[slot].pc = block_[slot] = first; }
  void forget_block(unsigned slot) { block_[slot] = kNoPc; }
  void add_lanes(unsigned slot, ActiveMask lanes) { slots_[slot].lanes |= lanes; }
  /// The split has another reconvergence point from now on.
  void redirect(unsigned slot, Pc reconvergence_pc, ReconvergenceIndex entry);

  void wait(unsigned slot);
  void release(unsigned slot);

  /// ST of MultiPath::tables(); masks of `width` digits.
  StateTable table(unsigned width) const;

 private:
  /// Position among the ready, ready_count_ if it waits.
  unsigned position_of(unsigned slot) const;
  void take_from_ready(unsigned position);

  WarpSplit* slots_ = nullptr;
  SlotSet used_;
  std::array<SplitId, kSplitsPerWarp> ready_;  // not waiting, oldest place first; the first limit_ may issue
  unsigned ready_count_ = 0;
  unsigned most_used_ = 0;
  unsigned limit_ = kSplitsPerWarp;
  std::array<ReconvergenceIndex, kSplitsPerWarp> entry_;
  std::array<Pc, kSplitsPerWarp> block_;
};

}  // namespace warpfork
