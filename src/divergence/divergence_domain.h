// Who owns the program counters of one thread block: the contract of every divergence mechanism.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/active_mask.h"
#include "base/error.h"
#include "base/frontier_place.h"
#include "base/types.h"
#include "divergence/domain_effects.h"
#include "divergence/state_table.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// The owner of the program counters of one thread block. No clock, no statistics, no pointer to the core.
///
/// The core asks runnable(warp), executes the instruction at a split's pc for the split's lanes and then either
/// step()s the split (sequential code), lets it jump() or advance()s it. It must advance() after every instruction at
/// which threads may part or exit, whether these do or not (but for Instruction::comes_back, where they mostly cannot),
/// and jump() after any other that is a branch, that ends a basic block, or whose successor is the split's
/// reconvergence_pc. advance(), jump(), wait() and release() return what
/// they have done, until the next call: runnable() of warps that have not changed and the identity of their splits stay
/// as they are. A split that is still runnable keeps its id.
class DivergenceDomain {
 public:
  /// The largest number of entries in use, of any warp; 0 where the mechanism has no such table.
  struct TableUse {
    unsigned splits = 0, reconvergence = 0;
  };

  virtual ~DivergenceDomain() = default;

  /// Before blocks of another kernel are launched: by instruction, the place of its block. Outlives the kernel. Without
  /// it blocks stand as in the text.
  virtual void begin_kernel(std::span<const FrontierPlace>) {}

  /// Starts a block, of this number in its grid: warp w begins at `entry` with lanes[w]. A domain whose lanes have all
  /// exited may be launched again, with as many warps without allocating.
  virtual void launch(Pc entry, std::span<const ActiveMask> lanes, std::uint64_t block = 0) = 0;

  /// The splits of the warp that may issue now, lanes disjoint, in priority order (field `id` names them later).
  virtual std::span<const SplitId> runnable(WarpId warp) const = 0;

  /// After the split's instruction at its pc: where each lane goes. Paths are disjoint, none empty, in the order in
  /// which they should be tried (taken side first); lanes of the split in no path have exited. `reconvergence` is the
  /// first instruction of the immediate postdominator of the instruction's block, kNoPc if only the exit is.
  virtual const DomainEffects& advance(SplitId split, std::span<const Path> paths, Pc reconvergence) = 0;

  /// After an instruction from which all threads go on at `target`.
  virtual const DomainEffects& jump(SplitId split, Pc target) {
    const Path path{target, splits_[split].lanes};
    return advance(split, {&path, 1}, target);
  }

  /// What jump(split, target), or advance() of all lanes on this one path, does where nothing but the split's pc
  /// changes. False, with nothing done, where that must be called.
  bool pass(SplitId id, Pc target) {
    WarpSplit& split = splits_[id];
    if (watches_blocks_ || target == split.reconvergence_pc) return false;
    split.pc = target;
    return true;
  }

  /// The split has executed a barrier instruction and waits there, its pc still on it: not runnable until released.
  /// Lanes of other splits never join a waiting split.
  virtual const DomainEffects& wait(SplitId split) = 0;

  /// The barrier has opened for this waiting split: runnable again. The core then advances or steps it over the
  /// barrier.
  virtual const DomainEffects& release(SplitId split) = 0;

  /// Whether threads that an instruction names are waited for, in whatever splits they are. The next three are for
  /// that.
  bool gathers() const { return gathers_; }

  /// The split waits as for a barrier, its pc on an instruction that names threads of other splits.
  virtual const DomainEffects& wait_for_others(SplitId) { throw not_gathered(); }

  /// These splits of the warp, at one instruction, go on from there as one, which has the lowest id. All but one wait
  /// for others, or all.
  virtual const DomainEffects& meet(WarpId, SlotSet) { throw not_gathered(); }

  /// Some of the warp's splits wait for others, none has met those that it names, and none may issue: threads go on
  /// that are blocked until those come that wait, if there are any.
  virtual const DomainEffects& unblock(WarpId) { throw not_gathered(); }

  /// All lanes whose home is this warp and that have not exited, running or not.
  virtual ActiveMask live(WarpId warp) const = 0;

  /// Whether nothing will ever run in this warp's place again.
  virtual bool finished(WarpId warp) const { return live(warp).none(); }

  /// Of all blocks that it has run.
  virtual TableUse table_use() const { return {}; }

  /// What the mechanism keeps of one warp, as the papers draw it; each mechanism's header shows a sample as text. Of
  /// one that does not say, the splits that may issue.
  virtual std::vector<StateTable> tables(WarpId warp) const {
    StateTable splits{"splits", {{"pc", StateTable::Kind::ProgramCounter}, {"lanes", StateTable::Kind::Mask}}, {}, {}};
    const unsigned width = mask_width(live(warp));
    for (const SplitId id : runnable(warp))
      splits.rows.push_back({pc_text(splits_[id].pc), splits_[id].lanes.to_string(width)});
    return {std::move(splits)};
  }
  /// These as text.
  std::string describe(WarpId warp) const { return text_of(tables(warp)); }

  const WarpSplit& split(SplitId id) const { return splits_[id]; }

  /// Sequential code: the next pc, of the last of so many instructions, is in the same block and is not the split's
  /// reconvergence_pc.
  void step(SplitId id, unsigned instructions = 1) { splits_[id].pc += instructions; }

 protected:
  static InvariantError not_gathered() { return InvariantError("threads are gathered by a mechanism that does not"); }

  /// A block of so many warps: split ids w * kMaxWarpSize … belong to warp w.
  void make_splits(std::size_t warps) {
    splits_.assign(warps * kMaxWarpSize, WarpSplit{});
    for (SplitId id = 0; id < splits_.size(); ++id) {
      splits_[id].id = id;
      splits_[id].warp = id / kMaxWarpSize;
    }
  }

  /// All splits of the block, by id; slots of dead splits are reused.
  std::vector<WarpSplit> splits_;
  DomainEffects effects_;       // of the latest call
  bool watches_blocks_ = true;  // wants to hear when a split goes on to another basic block
  bool gathers_ = false;
};

}  // namespace warpfork
