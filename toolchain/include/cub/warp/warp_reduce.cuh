/* A value of all threads of a logical warp; its first thread has the result. */
#pragma once

#include <cub/thread/thread_operators.cuh>
#include <cub/warp/lanes.cuh>

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
};

}  // namespace cub
