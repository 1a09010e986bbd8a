// The dual-path stack of one warp (Rhu and Erez, HPCA 2013; "DPS" in MULTIPATH sections 5 and 7).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "divergence/distinct_paths.h"
#include "divergence/warp_local.h"

namespace warpfork {

/// A stack as in PdomStack, but an entry holds two paths, left and right, with one reconvergence pc: "instead of
/// stacking the taken and not-taken paths one after the other, the two paths are maintained in parallel" (section 7).
/// At a divergent branch the path's pc becomes the reconvergence point, and one entry with both sides is pushed; a path
/// that comes to its reconvergence pc frees its place; an entry without paths is popped, and what diverged into it goes
/// on.
///
/// The two uppermost paths that have not diverged into an entry above may issue. So both sides of a branch suspend
/// whatever ran beside it, and a place that is free in the top entry is lent to the next path below: path forwarding,
/// which makes two paths run whenever there are two (section 5: two splits are supported, others are "not considered
/// for scheduling until an ST entry is invalidated"). What the text leaves open is decided in
/// docs/adr/0012-dual-path-stack.md.
///
/// A warp waits at a barrier as a whole: "the same limitations … as the SPS model" (section 7, 3.3.3). max_splits = 1
/// makes it a single path.
///
/// tables(), the nested branches of Figure 6 after its step 3 (4 lanes, A at 0, B at 1, C at 2, D at 3, E at 4, F at
/// 5, G at 6), bottom first:
///   stack    pc   rpc  lanes
///             6     -  1111  0 left   diverged
///             1     6  0101  1 left   suspended
///             5     6  1010  1 right  diverged
///             3     5  0010  2 left   runs
///             4     5  1000  2 right  runs
class DualPath {
 public:
  static constexpr bool kWatchesBlocks = false;

  explicit DualPath(const DivergenceSpec& spec) : limit_(spec.max_splits == 1 ? 1 : 2) {}

  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  std::span<const SplitId> runnable() const { return {ready_.data(), waiting_ == kNoSlot ? ready_count_ : 0u}; }
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool wait(unsigned slot);
  bool release(unsigned slot);
  ActiveMask live() const { return live_; }
  std::vector<StateTable> tables() const;

 private:
  static constexpr unsigned kNoSlot = kSplitsPerWarp;

  /// Free without lanes. Once a path may issue it has a slot, whose split knows its pc, until it diverges or arrives.
  struct Place {
    Pc pc = 0;
    ActiveMask lanes;
    unsigned slot = kNoSlot;
  };
  struct Entry {
    Pc reconvergence_pc = kNoPc;
    std::array<Place, 2> places;  // left, right

    ActiveMask lanes() const { return places[0].lanes | places[1].lanes; }
  };

  Entry& entry_of(unsigned slot);
  void remove(ActiveMask exited);
  void push(Pc reconvergence_pc, std::span<const Path> sides);
  void go_on(Place& own, const Path& path);
  void vacate(Place& place);
  void pop_empty();
  void choose_runnable();
  void start(Place& place, Pc reconvergence_pc);
  const char* state(const Place& place, ActiveMask above) const;

  // 64 lanes part at most 63 times, and each time pushes at most one entry for every side beyond the first.
  static constexpr unsigned kCapacity = kMaxWarpSize;
  std::array<Entry, kCapacity> stack_;
  unsigned depth_ = 0;
  unsigned limit_;
  std::array<SplitId, 2> ready_{};
  unsigned ready_count_ = 0;
  unsigned waiting_ = kNoSlot;  // at a barrier
  SlotSet used_slots_;
  ActiveMask launched_, live_;
  WarpSplit* slots_ = nullptr;
};

}  // namespace warpfork
