/* A value of all threads of a logical warp; its first thread has the result. */
#pragma once

#include <cub/thread/thread_operators.cuh>
#include <cub/warp/lanes.cuh>

WARPFORK_LINES_OF_CALLERS
namespace cub {

template <class T, int LogicalWarpThreads = 32, int LegacyArchitecture = 0>
class WarpReduce {
  using Lanes = warpfork_lanes<LogicalWarpThreads>;

 public:
  struct TempStorage {};

  WARPFORK_DEVICE explicit WarpReduce(TempStorage&) {}

  template <class Operator>
  WARPFORK_DEVICE T Reduce(T value, Operator combine) {
    return Lanes::reduce(Lanes::all(), value, LogicalWarpThreads, combine);
  }
  /* Of the first `valid` threads. */
  template <class Operator>
  WARPFORK_DEVICE T Reduce(T value, Operator combine, int valid) {
    return Lanes::reduce(Lanes::all(), value, static_cast<unsigned>(valid), combine);
  }
  WARPFORK_DEVICE T Sum(T value) { return Reduce(value, cub::Sum()); }
  WARPFORK_DEVICE T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

  /* Of segments, each of which begins at a thread with a flag; its first thread has the result. */
  template <class Operator, class Flag>
  WARPFORK_DEVICE T HeadSegmentedReduce(T value, Flag is_head, Operator combine) {
    return Lanes::reduce(Lanes::all(), value, first_of(is_head, Lanes::rank() + 1), combine);
  }
  /* The same, where a thread with a flag is a segment's last. */
  template <class Operator, class Flag>
  WARPFORK_DEVICE T TailSegmentedReduce(T value, Flag is_tail, Operator combine) {
    const unsigned last = first_of(is_tail, Lanes::rank());
    return Lanes::reduce(Lanes::all(), value, last < LogicalWarpThreads ? last + 1 : last, combine);
  }
  template <class Flag>
  WARPFORK_DEVICE T HeadSegmentedSum(T value, Flag is_head) {
    return HeadSegmentedReduce(value, is_head, cub::Sum());
  }
  template <class Flag>
  WARPFORK_DEVICE T TailSegmentedSum(T value, Flag is_tail) {
    return TailSegmentedReduce(value, is_tail, cub::Sum());
  }

 private:
  /* Rank of the first thread with a flag from `from` on; behind the last if there is none. */
  template <class Flag>
  static WARPFORK_DEVICE unsigned first_of(Flag flag, unsigned from) {
    const unsigned base = __nvvm_read_ptx_sreg_laneid() / LogicalWarpThreads * LogicalWarpThreads;
    const unsigned flags = __ballot_sync(Lanes::all(), flag != Flag(0)) >> base;
    const unsigned later = from < 32 ? flags >> from << from : 0;
    const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(later))) - 1;
    return first < LogicalWarpThreads ? first : LogicalWarpThreads;
  }
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
