// What threads bring to a barrier and take from it (PTX ISA, "bar, barrier").
//
// Operands of a Barrier instruction: [0] destination of a reduction (row or predicate index), [1] number of the barrier
// and [2] number of threads where Instruction says that they are in registers, [3] predicate of a reduction;
// Instruction::immediate = 1 if that is negated.
#pragma once

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

inline constexpr unsigned kBarriers = 16;               // of a thread block, that it names
inline constexpr unsigned kClusterBarrier = kBarriers;  // of its cluster, which is this block alone
inline constexpr unsigned kAllBarriers = kBarriers + 1;

/// Threads of one row of a warp come to a barrier.
struct BarrierArrival {
  unsigned number = 0;
  unsigned threads = 0;  // that the barrier waits for; 0 = all of the block
  RowLanes yes;          // whose predicate is true; of a reduction
};

/// Throws Error, naming thread and place, if the lanes name no barrier, or not all the same, or a number of threads
/// that cannot come.
BarrierArrival arrival_of(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

inline bool is_reduction(const Instruction& instruction) { return instruction.barrier_form > BarrierForm::Arrive; }

/// The reduction's result goes to the lanes; `yes` of the `voters` threads at the barrier said yes.
void write_reduction(const Instruction& instruction, WarpContext& warp, RowLanes lanes, unsigned yes, unsigned voters);

}  // namespace warpfork::simt
