// What compaction would have needed at branches where warps did not wait (CAPRI sections II-C and III).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "divergence/compaction.h"
#include "divergence/compaction_oracle.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// The warps of one side that have parted at a branch, as if all had met there.
struct ShadowBarrier {
  Pc branch = 0;
  Pc arrived = kNoPc;     // a side that begins here has nothing to run
  WarpSet parted;         // places whose warps count: they did not wait, or waited when another did not
  WarpSet came;           // these, and those that came whole
  unsigned bypassed = 0;  // warps that did not wait
  unsigned turn = 0;      // the latest of theirs (BranchVisits)
};

/// The shadow barriers of one side, at most one at a branch. Keeps no masks, but how many threads of a side are in
/// each lane: the largest of these numbers is that of the compacted warps (CAPRI Figure 8). Without allocations once it
/// has been as large.
class ShadowBarriers {
 public:
  bool empty() const { return barriers_.empty(); }
  std::span<const ShadowBarrier> all() const { return barriers_; }

  /// The one at this branch, or null. Another one's beginning or end moves it.
  ShadowBarrier* at(Pc branch);
  ShadowBarrier& begin(Pc branch, Pc arrived);
  /// The warp in this place parts so; it must not have done so at this one before.
  void add(ShadowBarrier& barrier, WarpId place, std::span<const Path> paths);
  /// And an oracle had decided so.
  void note(const ShadowBarrier& barrier, const CompactionOracle::Decision& decision) {
    decisions_.push_back({barrier.branch, decision});
  }
  /// What compacting them all would have done.
  Compaction end(Pc branch);
  /// Tells the oracle of the outcome. Forgets what was noted of this branch.
  void judge(Pc branch, bool paid, CompactionOracle& oracle);

 private:
  /// Threads by lane that go to `target`.
  struct Side {
    Pc branch = 0, target = 0;
    unsigned warps = 0, most = 0;  // that have threads here, and the largest number of threads in one lane
    std::array<std::uint8_t, kMaxWarpSize> threads{};
  };

  struct Noted {
    Pc branch = 0;
    CompactionOracle::Decision decision;
  };

  Side& side(Pc branch, Pc target);

  std::vector<ShadowBarrier> barriers_;  // oldest first
  std::vector<Side> sides_;              // of all barriers
  std::vector<Noted> decisions_;         // likewise
};

}  // namespace warpfork
