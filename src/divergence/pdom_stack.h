// The single-path reconvergence stack of one warp (Fung et al.'s PDOM; "SPS" in MULTIPATH section 2.2).
#pragma once

#include <span>
#include <vector>

#include "divergence/warp_local.h"

namespace warpfork {

/// Only the top of the stack may issue. At a divergent branch the top becomes the reconvergence entry (pc = the
/// reconvergence point) and the sides are pushed, the first path uppermost; an entry that comes to its reconvergence pc
/// is popped. A side that starts at the reconvergence point is never pushed. A branch whose reconvergence point is that
/// of the top itself (a loop's back edge) needs no reconvergence entry. Lanes that exit leave every entry; empty
/// entries vanish.
///
/// tables(), Figure 3 after the branch of A (4 lanes, A at 0, B at 2, C at 4, D at 6):
///   stack  pc  rpc  lanes
///           6    -  1111
///           4    6  1010
///           2    6  0101  top
class PdomStack {
 public:
  static constexpr bool kWatchesBlocks = false;

  explicit PdomStack(const DivergenceSpec&) {}

  void launch(SplitSlots slots, Pc entry, ActiveMask lanes);
  std::span<const SplitId> runnable() const { return {&top_, depth_ != 0 && !waits_ ? 1u : 0u}; }
  bool advance(unsigned slot, std::span<const Path> paths, Pc reconvergence);
  bool wait(unsigned slot);
  bool release(unsigned slot);
  ActiveMask live() const { return live_; }
  std::vector<StateTable> tables() const;

 private:
  struct Entry {
    Pc pc = 0;  // of the top: as it was pushed; the split itself knows where it is now
    Pc reconvergence_pc = kNoPc;
    ActiveMask lanes;
  };

  void push(const Entry& entry);
  void make_room();
  void remove(ActiveMask exited);
  void expose_top();
  WarpSplit& top_split() { return slots_[(depth_ - 1) % kSplitsPerWarp]; }

  // 64 lanes part at most 63 times; each divergence adds its reconvergence entry and one entry per side beyond the
  // first.
  static constexpr unsigned kCapacity = 2 * kMaxWarpSize;
  std::vector<Entry> stack_;  // room for as many as there have been: hardly any warp comes to the bound
  unsigned depth_ = 0;
  bool waits_ = false;
  SplitId top_ = 0;
  ActiveMask launched_, live_;
  WarpSplit* slots_ = nullptr;
};

}  // namespace warpfork
