// The thread blocks that a core holds, and the warp slots in which their warps are.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "divergence/registry.h"
#include "gpu/age_order.h"
#include "gpu/resident_block.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Block slot b holds the warp slots from b times the warps of a block on. A block keeps its slot until nothing of its
/// warps is under way any more.
class BlockSlots {
 public:
  /// Of a core with so many warp slots.
  explicit BlockSlots(unsigned warps) : warps_(warps) {}

  /// A kernel begins, of which there will be up to `blocks` blocks at a time.
  void begin_kernel(const simt::Launch& launch, unsigned blocks, const DomainMaker& make_domain);
  void end_kernel();

  bool has_room() const { return free_ != 0; }
  unsigned running() const { return running_; }
  /// A block of the grid comes to the lowest free slot of core `core`: which that is.
  unsigned start(Dim3 index, unsigned core);

  /// In order of slots, also those that hold nothing: what an ended block's domain counted is still there.
  std::size_t size() const { return slots_.size(); }
  ResidentBlock& block(unsigned slot) { return *slots_[slot].block; }
  const ResidentBlock& block(unsigned slot) const { return *slots_[slot].block; }
  unsigned first_warp(unsigned slot) const { return slot * warps_per_block_; }
  unsigned warps_per_block() const { return warps_per_block_; }

  /// By warp slot: its block, the block's slot and first warp slot, and its number in the block.
  ResidentBlock& block_of(unsigned warp) { return *warps_[warp].block; }
  const ResidentBlock& block_of(unsigned warp) const { return *warps_[warp].block; }
  unsigned slot_of(unsigned warp) const { return warps_[warp].slot; }
  unsigned first_warp_of(unsigned warp) const { return warps_[warp].first_warp; }
  WarpId in_block(unsigned warp) const { return warps_[warp].in_block; }

  /// Warps in whose place something may still run.
  WarpSlots live() const { return live_; }
  bool is_live(unsigned warp) const { return live_.contains(warp); }
  /// Of the warps that have a place.
  const AgeOrder& ages() const { return ages_; }
  /// If nothing will ever run in the warp's place again, it is live no more.
  void note_end(unsigned warp) {
    if (!is_live(warp) || !block_of(warp).domain().finished(in_block(warp))) return;
    live_.erase(warp);
    finishing_.insert(warp);
  }
  /// Warps that are live no more, but hold their place as long as something of them is under way.
  WarpSlots finishing() const { return finishing_; }
  /// Warps that have a place, live or finishing.
  WarpSlots placed() const { return live_ | finishing_; }
  /// Another number whenever placed() is other warps.
  std::uint64_t placements() const { return placements_; }
  /// Nothing of the warp is under way any more.
  void retire(unsigned warp);
  /// Of the finishing warps those that are drained, which none of `busy` is.
  template <class Drained>
  void retire_if(WarpSlots busy, Drained&& drained) {
    const WarpSlots asked = finishing_ - busy;
    asked.for_each([&](unsigned warp) {
      if (drained(warp)) retire(warp);
    });
  }

  /// What each resident block is; those with all threads gone, too, until their last warp is retired.
  template <class Visit>
  void for_each_block(Visit&& visit) const {
    for (const Slot& slot : slots_)
      if (slot.warps_left != 0) visit(*slot.block);
  }

  /// What a split of a warp slot that may issue waits for.
  using Wait = std::function<std::string_view(unsigned warp, SplitId split)>;
  /// Of each resident block, a text that begins so.
  std::string describe(std::string_view prefix, const Wait& wait) const;

 private:
  struct Slot {
    std::unique_ptr<ResidentBlock> block;
    unsigned warps_left = 0;  // not retired
  };
  struct Warp {
    ResidentBlock* block = nullptr;
    unsigned slot = 0, first_warp = 0;
    WarpId in_block = 0;
  };

  /// Of a block in this slot.
  WarpSlots warps_of(unsigned slot) const {
    return WarpSlots::first(first_warp(slot) + warps_per_block_) - WarpSlots::first(first_warp(slot));
  }

  unsigned warps_per_block_ = 0;
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  AgeOrder ages_;
  std::uint64_t placements_ = 0;
  std::uint64_t free_ = 0;  // slots
  unsigned running_ = 0;
  WarpSlots live_, finishing_;
};

}  // namespace warpfork::gpu
