// One thread block of a launch without timing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "divergence/registry.h"
#include "gpu/functional_run.h"
#include "gpu/functional_state.h"
#include "gpu/launch_facts.h"
#include "gpu/resident_block.h"

namespace warpfork::gpu {

/// A row of a warp on its way through code.
struct FunctionalStretch;

/// Executes blocks of a launch, one at a time, and counts issued instructions. What is private and `inline` is so for
/// the sake of one caller, in the same source: together they take a tenth fewer host instructions.
class FunctionalBlock {
 public:
  FunctionalBlock(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                  FunctionalBlocks::Accessed accessed, FunctionalState& state);

  /// Why the launch was cut off; empty if it was not.
  const std::string& cut_off() const { return cut_off_; }

  /// The block of that index begins.
  void start(Dim3 index);
  bool is_running() const { return !block_.finished() && cut_off_.empty(); }
  const ResidentBlock& block() const { return block_; }
  std::uint64_t executed() const { return executed_in_block_; }

  /// Every warp of the block has its turn, of `turn` instructions (0 = the usual number), of which the watches hear if
  /// it `is_heard`. Throws Error for a deadlock.
  void go_on(unsigned turn, bool is_heard);
  /// Of the last round: whether some warp has used up its turn.
  bool used_up_turn() const { return used_up_turn_; }
  /// Of a block that runs alone: the turn of the next round, if a livelock is looked for in it; else 0.
  unsigned watched_turn() const;

  std::string describe() const;

 private:
  /// False if no warp could start.
  inline bool run_round(unsigned turn, bool is_heard);

  /// The warp's turn: until none of its splits can go on, the turn is used up, or the warp polls. False if it could not
  /// start.
  inline bool run_warp(WarpId warp, unsigned length, bool is_heard);

  /// A warp that has `left` of its turn goes on, and is heard. True if it polls: that ends the turn.
  [[gnu::noinline]] bool look(WarpId warp, unsigned& left);

  /// Runs the warp's splits in turn until it has none or has executed so many instructions, or more, but at most
  /// `most`. Whether they are executed at one go or not, and heard of or not, does not change their order. Returns
  /// their number.
  inline unsigned run_splits(WarpId warp, unsigned wanted, unsigned most, bool is_heard);

  /// As run_split(), one instruction after the other, of which the watches hear.
  inline unsigned run_heard(SplitId id, unsigned limit, bool is_alone);

  inline void count_step(const Step& step);

  inline Step execute(SplitId id, Cycle now);

  void cut_off(const ReachedLimit& limit) { cut_off_ = still_running(*launch_.program, limit, describe()); }

  /// Runs the split up to and including the first instruction that may change what is runnable or, if others of its
  /// warp are, that ends a basic block other than by a branch; at most `limit` instructions. A split that is alone
  /// hands over to the next one that is. Returns their number.
  [[gnu::always_inline]] inline unsigned run_split(SplitId id, unsigned limit, bool is_alone);

  /// The part of run_split() that concerns one warp's registers and the split's own pc: code without exits, and
  /// without barriers at which it would wait. False if the split has to go on otherwise.
  [[gnu::always_inline]] inline bool run_alone(SplitId id, FunctionalStretch& stretch, bool is_alone);

  /// Whether the split meets others in the midst of a basic block before it can get to the block's end: it is now at
  /// the instruction that brings it there. Only mechanisms that watch blocks have such places, early reconvergence
  /// points.
  [[gnu::noinline]] bool comes_to_meeting(SplitId id, FunctionalStretch& stretch, simt::WarpContext& warp,
                                          simt::RowLanes row);

  /// A branch at which the lanes part, or of which the domain must hear. True if other splits may be runnable now.
  inline bool part(const WarpSplit& split, const simt::Instruction& instruction, simt::RowLanes row,
                   simt::RowLanes taken);

  const simt::Launch& launch_;
  const LaunchOptions& options_;
  FunctionalState& state_;
  FunctionalCounts& counts_;
  std::span<const simt::Instruction> code_;
  const DivergenceMechanism& mechanism_;
  ResidentBlock block_;
  std::span<simt::WarpContext> warps_;  // of the block, by warp and row
  bool used_up_turn_ = false;           // of a round: some warp its turn
  std::uint64_t round_ = 1;             // of the block
  unsigned turn_ = 0;                   // of a warp's splits
  // Nothing but the number of instructions that it was allowed ended what run_split() or run_heard() did.
  bool is_interrupted_ = false;
  FunctionalBlocks::Accessed accessed_;
  bool may_run_alone_;  // the block need not look at each instruction
  std::string cut_off_;
  std::uint64_t executed_in_block_ = 0;  // warp instructions
};

}  // namespace warpfork::gpu
