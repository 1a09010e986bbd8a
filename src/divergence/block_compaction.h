// Thread block compaction, always or where it pays: one reconvergence stack per thread block (CAPRI sections II-B, C).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divergence/branch_sides.h"
#include "divergence/compaction_frame.h"
#include "divergence/compaction_oracle.h"
#include "divergence/compaction_predictor.h"
#include "divergence/compaction_unit.h"
#include "divergence/divergence_domain.h"
#include "divergence/divergence_spec.h"

namespace warpfork {

class DistinctPaths;

/// Which warps wait for the others of the block at a branch.
enum class BranchWait {
  EveryWarp,       // tbc: every warp, wherever warps may diverge
  DivergingWarps,  // capri: a warp that diverges, if the predictor says that it pays
};

/// Warps run in the places of the block's warps, one in each; the split of place p has the id 32 p.
///
/// A warp is on a side of a branch (BranchSides) from there to the meeting point, whether it takes the side as a whole
/// or only some of its threads do. A warp that waits at a branch stays on it, not runnable, until no other warp of its
/// side could come there by itself: each of them waits, has been at the branch in this turn, has left the side, has
/// exited, or is kept by a barrier, alone or with all warps of the frames above it. Of several meetings the oldest ends
/// first. Therefore a wait never ends in a deadlock that barriers alone would not have caused.
///
/// Then the threads of the waiting warps part. If all go one way, their warps go on as they are. Otherwise a frame is
/// pushed: the sides run one after the other, taken side first, each in warps that the compaction unit has formed from
/// all waiting warps, in the lowest of their places. A side that starts at the meeting point has arrived. When all
/// sides have arrived, the warps that parted go on there as they were. At a branch whose meeting point is that of the
/// frame itself (a loop's back edge), or the exit, the compacted warps stay in the frame if all were its own; only if
/// more than one side remains is a frame pushed, which the last side leaves. A warp that diverges without waiting does
/// all this alone: as under pdom, but on the same sides as the others.
///
/// Warps that diverge without waiting are counted in a shadow meeting, as if they and those that wait there had all
/// met. It ends by the same rule as a meeting, and the latest when a warp that it counts diverges there again; whether
/// fewer warps would have been needed is then what the predictor learns. Nobody waits for it.
///
/// A warp that met others and has nothing to run before the meeting point keeps its place and waits there for their
/// sides, until barriers keep all others: one of these may wait for it, or for its threads to exit.
///
/// The predictor's table is the core's: it outlives the block, and what one block's warps have shown counts for those
/// of all.
///
/// describe(warp) lists the entries in the warp's place, lanes by home warp; the warps of the entry that are yet to
/// come to its next branch or its end (WCnt), to the branch where a warp has parted; and whether the compaction unit
/// regroups the threads (U-mask). CAPRI Figure 3 (A at 0, B at 2, C at 4, D at 6; two warps of four threads, of which
/// 0, 6 and 7 take B), place 0 while B runs:
///   stack    pc   rpc  wcnt  umask  lanes
///             6     -     0      -  1111  0:1111
///             4     6     0      1  1111  0:1110 1:0001
///             2     6     1      1  1101  0:0001 1:1100  top
/// While it waits at the branch, whose entries it has pushed:
///             6     -     1      -  1111  0:1111
///             4     6     0      1  1110  0:1110
///             2     6     0      1  0001  0:0001
///   waits at 0 for 1
class BlockCompaction final : public DivergenceDomain {
 public:
  /// `predictor`: the core's, shared with its other blocks. `oracle`: asked in its place; null = there is none.
  BlockCompaction(BranchWait who, std::shared_ptr<CompactionPredictor> predictor,
                  std::unique_ptr<CompactionOracle> oracle = nullptr)
      : who_waits_(who), predictor_(std::move(predictor)), oracle_(std::move(oracle)) {}

  void announce(std::uint64_t block) override { block_ = block; }
  void launch(Pc entry, std::span<const ActiveMask> lanes) override;
  std::span<const SplitId> runnable(WarpId place) const override {
    return {&split_in(place).id, runnable_.contains(place) ? 1u : 0u};
  }
  WarpSet advance(SplitId id, std::span<const Path> paths, Pc reconvergence) override;
  WarpSet jump(SplitId id, Pc target) override;
  WarpSet wait(SplitId id) override;
  WarpSet release(SplitId id) override;
  ActiveMask live(WarpId warp) const override { return live_[warp]; }
  bool finished(WarpId) const override { return live_threads_ == 0; }
  std::span<const HomeLanes> homes(SplitId id) const override { return places_[id / kMaxWarpSize].homes; }
  std::span<const Compaction> compactions() const override { return compactions_; }
  WarpSet formed() const override { return formed_; }
  std::string describe(WarpId place) const override;

 private:
  static constexpr FrameId kRoot = 0;

  struct Place {
    FrameId frame = kRoot;
    SideId side = BranchSides::kRoot;
    unsigned turn = 0;
    UMask u_mask = UMask::None;
    CompactedWarp warp;
    std::vector<HomeLanes> homes;  // of the warp, if it is compacted
    std::vector<Path> paths;       // of the branch at which the warp waits
  };

  bool goes_on_alone(const WarpSplit& split, std::span<const Path> paths) const;
  void branch(WarpId place, const DistinctPaths& paths, Pc reconvergence);
  bool should_wait(WarpId place);
  void tell_oracle(const WarpSplit& split);
  std::span<const HomeLanes> threads_in(WarpId place, HomeLanes& alone) const;
  void exit(WarpId place, ActiveMask remaining);
  void pass(WarpId place);
  void bypass(WarpId place, Pc reconvergence);
  void count_in_shadow(ShadowMeeting& shadow, WarpId place);
  void end_shadow_of(WarpId place);
  void end_shadows();
  void judge(SideId side, const ShadowMeeting& shadow);
  void go_on(WarpId place, Pc target, Pc reconvergence);
  void follow(WarpId place, Pc target, Pc reconvergence);
  void meet(WarpId place, std::span<const Path> paths, Pc reconvergence);
  Rendezvous* meeting_at(SideId side, Pc branch);
  void settle();
  bool end_a_meeting();
  bool let_skipping_warps_go();
  void part(WarpSet group, Pc reconvergence, bool waited);
  void go_on_together(WarpSet group, Pc target, Pc reconvergence);
  Compaction list_sides(CompactionFrame& frame, WarpSet group, bool waited);
  void list_targets(WarpSet group, Pc branch);
  void take_side(WarpSet group, Pc target);
  void begin_call();
  void next_side(FrameId frame);
  void restore(FrameId frame);
  void come_back(ParkedWarp& parked);
  void arrive_from(WarpId place);
  void arrive(FrameId frame);
  void resume(const ParkedWarp& parked);
  void list_homes(WarpId place);
  void vacate(WarpSet places);
  ParkedWarp parked(WarpId place, Pc pc, unsigned turn) const;
  FrameId common_frame(WarpSet group) const;
  FrameId push_frame(SideId side, Pc branch, Pc rpc, unsigned turn, WarpSet places);
  void free_frame(FrameId frame);
  WarpSet awaited(SideId side, Pc branch, unsigned turn) const { return sides_.awaited(side, branch, turn, runnable_); }

  std::string rows_of(const CompactionFrame& frame, WarpId place) const;
  std::string rows_of_waiting(const Rendezvous& meeting, WarpId place) const;
  std::string row(Pc pc, Pc rpc, unsigned to_come, UMask u_mask, const CompactedWarp& warp) const;

  WarpSplit& split_in(WarpId place) { return splits_[place * kMaxWarpSize]; }
  const WarpSplit& split_in(WarpId place) const { return splits_[place * kMaxWarpSize]; }

  const BranchWait who_waits_;
  const std::shared_ptr<CompactionPredictor> predictor_;
  const std::unique_ptr<CompactionOracle> oracle_;
  std::uint64_t block_ = 0;                            // number in the grid
  std::vector<CompactionOracle::Decision> decisions_;  // by place, of the oracle: the latest
  CompactionUnit unit_;
  std::vector<Place> places_;
  BranchSides sides_;
  std::vector<CompactionFrame> frames_;  // the first is the root
  std::vector<FrameId> free_frames_;
  std::vector<Rendezvous> meetings_;  // oldest first
  std::vector<SideId> shadowed_;      // sides with shadow meetings
  std::vector<ActiveMask> live_;      // by home warp
  ActiveMask launched_;               // lanes in any warp
  unsigned live_threads_ = 0;
  WarpSet runnable_;                     // places
  WarpSet changed_;                      // places whose runnable() has changed in this call
  WarpSet formed_;                       // see formed(); in this call
  std::vector<Compaction> compactions_;  // likewise
  std::vector<Pc> targets_;              // scratch of part()
};

}  // namespace warpfork
