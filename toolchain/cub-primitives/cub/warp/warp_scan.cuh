/* Of each thread of a logical warp the values up to its own, or those before it, put together. */
#pragma once

#include <cub/thread/thread_operators.cuh>
#include <cub/warp/lanes.cuh>

WARPFORK_LINES_OF_CALLERS
namespace cub {

template <class T, int LogicalWarpThreads = 32, int LegacyArchitecture = 0>
class WarpScan {
  using Lanes = warpfork_lanes<LogicalWarpThreads>;

 public:
  struct TempStorage {};

  WARPFORK_DEVICE explicit WarpScan(TempStorage&) {}

  template <class Operator>
  WARPFORK_DEVICE void InclusiveScan(T value, T& result, Operator combine) {
    result = Lanes::inclusive_scan(Lanes::all(), value, combine);
  }
  template <class Operator>
  WARPFORK_DEVICE void InclusiveScan(T value, T& result, Operator combine, T& aggregate) {
    InclusiveScan(value, result, combine);
    aggregate = Broadcast(result, LogicalWarpThreads - 1);
  }
  /* Without a first value the first thread's result is its own value. */
  template <class Operator>
  WARPFORK_DEVICE void ExclusiveScan(T value, T& result, Operator combine) {
    const T inclusive = Lanes::inclusive_scan(Lanes::all(), value, combine);
    result = Lanes::up(Lanes::all(), inclusive, 1);
  }
  template <class Operator>
  WARPFORK_DEVICE void ExclusiveScan(T value, T& result, T first, Operator combine) {
    T aggregate;
    ExclusiveScan(value, result, first, combine, aggregate);
  }
  /* The aggregate is without the first value. */
  template <class Operator>
  WARPFORK_DEVICE void ExclusiveScan(T value, T& result, T first, Operator combine, T& aggregate) {
    const T inclusive = Lanes::inclusive_scan(Lanes::all(), value, combine);
    const T before = Lanes::up(Lanes::all(), inclusive, 1);
    aggregate = Broadcast(inclusive, LogicalWarpThreads - 1);
    result = Lanes::rank() == 0 ? first : combine(first, before);
  }

  WARPFORK_DEVICE void InclusiveSum(T value, T& result) { InclusiveScan(value, result, cub::Sum()); }
  WARPFORK_DEVICE void InclusiveSum(T value, T& result, T& aggregate) {
    InclusiveScan(value, result, cub::Sum(), aggregate);
  }
  WARPFORK_DEVICE void ExclusiveSum(T value, T& result) { ExclusiveScan(value, result, T(), cub::Sum()); }
  WARPFORK_DEVICE void ExclusiveSum(T value, T& result, T& aggregate) {
    ExclusiveScan(value, result, T(), cub::Sum(), aggregate);
  }

  WARPFORK_DEVICE T Broadcast(T value, unsigned rank) { return Lanes::of(Lanes::all(), value, rank); }
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
