// Thread block compaction, always or where it pays: one reconvergence stack per thread block (CAPRI sections II-B, C).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
/// A warp that waits at a branch stays on it, not runnable, until no other warp of its frame could come there by
/// itself: each of them waits, has passed the branch in this turn, has arrived, has exited, or is kept by a barrier,
/// alone or with all warps of the frames above it. If several branches are waited at, the oldest meeting ends first.
/// Therefore a wait never ends in a deadlock that barriers alone would not have caused.
///
/// Then the threads of the waiting warps part. If all go one way, their warps go on as they are. Otherwise a frame is
/// pushed: the sides run one after the other, taken side first, each in warps that the compaction unit has formed from
/// all waiting warps, in the lowest of their places. A side that starts at the meeting point has arrived. When all
/// sides have arrived, the warps that parted go on there as they were. A branch whose meeting point is that of the
/// frame itself (a loop's back edge), or the exit, parts them for good: the compacted warps stay in the frame, and only
/// if more than one side remains is a frame pushed, which the last side leaves. A warp that diverges without waiting
/// does all this alone: as under pdom.
///
/// Warps that diverge without waiting are counted in a shadow meeting, as if they and those that wait there had all
/// met. It ends by the same rule as a meeting, and the latest when a warp that it counts diverges there again; whether
/// fewer warps would have been needed is then what the predictor learns. Nobody waits for it.
///
/// One path that leads to the meeting point may be a jump, so nobody waits there. The predictor's table is the core's:
/// it outlives the block, and what one block's warps have shown counts for those of all.
///
/// describe(warp) lists what lies in the warp's place, lanes by home warp. CAPRI Figure 3 (A at 0, B at 2, C at 4, D at
/// 6; two warps of four threads, of which 0, 6 and 7 take B), place 0 while B runs:
///   stack    pc   rpc  lanes
///             6     -  1111  0:1111
///             4     6  1111  0:1110 1:0001
///             2     6  1101  0:0001 1:1100  top
class BlockCompaction final : public DivergenceDomain {
 public:
  /// `predictor`: the core's, shared with its other blocks. `oracle`: asked in its place; null = there is none.
  BlockCompaction(BranchWait who, std::shared_ptr<CompactionPredictor> predictor,
                  std::unique_ptr<CompactionOracle> oracle = nullptr)
      : who_waits_(who), predictor_(std::move(predictor)), oracle_(std::move(oracle)) {}
  BlockCompaction(const BlockCompaction&) = delete;  // frames refer to numbers_

  void announce(std::uint64_t block) override { block_ = block; }
  void launch(Pc entry, std::span<const ActiveMask> lanes) override;
  std::span<const SplitId> runnable(WarpId place) const override {
    return {&split_in(place).id, runnable_.contains(place) ? 1u : 0u};
  }
  WarpSet advance(SplitId id, std::span<const Path> paths, Pc reconvergence) override;
  WarpSet wait(SplitId id) override;
  WarpSet release(SplitId id) override;
  ActiveMask live(WarpId warp) const override { return live_[warp]; }
  bool finished(WarpId) const override { return live_threads_ == 0; }
  bool regroups() const override { return true; }
  std::span<const HomeLanes> homes(SplitId id) const override { return places_[id / kMaxWarpSize].homes; }
  std::span<const Compaction> compactions() const override { return compactions_; }
  WarpSet formed() const override { return formed_; }
  std::string describe(WarpId place) const override;

 private:
  using FrameId = unsigned;
  static constexpr FrameId kRoot = 0;

  struct Place {
    FrameId frame = kRoot;
    unsigned turn = 0;
    CompactedWarp warp;
    std::vector<HomeLanes> homes;  // of the warp, if it is compacted
    std::vector<Path> paths;       // of the branch at which the warp waits
  };

  bool goes_on_alone(const WarpSplit& split, std::span<const Path> paths, Pc reconvergence) const;
  WarpSet awaited(const CompactionFrame& frame, Pc branch) const;
  void branch(WarpId place, const DistinctPaths& paths, Pc reconvergence);
  bool should_wait(WarpId place);
  void tell_oracle(const WarpSplit& split);
  std::span<const HomeLanes> threads_in(WarpId place, HomeLanes& alone) const;
  void exit(WarpId place, ActiveMask remaining);
  void pass(WarpId place);
  void bypass(WarpId place, Pc reconvergence);
  void count_in_shadow(CompactionFrame& frame, ShadowMeeting& shadow, WarpId place);
  void end_shadow_of(WarpId place);
  void end_shadows(CompactionFrame& frame);
  void judge(CompactionFrame& frame, const ShadowMeeting& shadow);
  void go_on(WarpId place, Pc target);
  void meet(WarpId place, std::span<const Path> paths, Pc reconvergence);
  void settle(FrameId frame);
  bool end_a_meeting(FrameId frame);
  void part(FrameId frame, WarpSet group, Pc branch, Pc reconvergence, bool waited);
  void list_targets(WarpSet group, Pc branch);
  void take_side(WarpSet group, Pc target);
  void begin_call();
  FrameId next_side(FrameId frame);
  void resume(FrameId frame, const ParkedWarp& parked);
  void vacate(WarpSet places);
  FrameId push_frame(FrameId parent, Pc rpc, WarpSet places);
  void free_frame(FrameId frame);
  std::string row(Pc pc, Pc rpc, const CompactedWarp& warp) const;

  WarpSplit& split_in(WarpId place) { return splits_[place * kMaxWarpSize]; }
  const WarpSplit& split_in(WarpId place) const { return splits_[place * kMaxWarpSize]; }

  const BranchWait who_waits_;
  const std::shared_ptr<CompactionPredictor> predictor_;
  const std::unique_ptr<CompactionOracle> oracle_;
  std::uint64_t block_ = 0;                            // number in the grid
  std::vector<CompactionOracle::Decision> decisions_;  // by place, of the oracle: the latest
  CompactionUnit unit_;
  std::vector<Place> places_;
  BranchNumbers numbers_;
  std::vector<CompactionFrame> frames_;  // the first is the root
  std::vector<FrameId> free_frames_;
  std::vector<ActiveMask> live_;  // by home warp
  ActiveMask launched_;           // lanes in any warp
  unsigned live_threads_ = 0;
  WarpSet runnable_;                     // places
  WarpSet changed_;                      // places whose runnable() has changed in this call
  WarpSet formed_;                       // see formed(); in this call
  std::vector<Compaction> compactions_;  // likewise
  std::vector<Pc> targets_;              // scratch of part()
};

}  // namespace warpfork
