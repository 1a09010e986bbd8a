/* A value of all threads of a block; its first thread has the result. */
#pragma once

#include <cub/block/warps.cuh>
#include <cub/thread/thread_operators.cuh>

WARPFORK_LINES_OF_CALLERS
namespace cub {

/* All of them are the same here: that of warps, whose sums the first thread adds up. */
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

template <class T, int BlockDimX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyArchitecture = 0>
class BlockReduce {
  using Warps = warpfork_warps<BlockDimX, BlockDimY, BlockDimZ>;

 public:
  using TempStorage = warpfork_room<T, Warps::kCount>;

  WARPFORK_DEVICE BlockReduce() : of_warps_(own_room().values()) {}
  WARPFORK_DEVICE explicit BlockReduce(TempStorage& room) : of_warps_(room.values()) {}

  /* Of the first `valid` threads. */
  template <class Operator>
  WARPFORK_DEVICE T Reduce(T value, Operator combine, int valid) {
    const int first = static_cast<int>(Warps::warp() * 32), rest = valid - first;
    const unsigned valid_lanes = static_cast<unsigned>(rest < 0 ? 0 : rest > 32 ? 32 : rest);
    const T of_warp = warpfork_lanes<32>::reduce(Warps::lanes(), value, valid_lanes, combine);
    if (Warps::lane() == 0) of_warps_[Warps::warp()] = of_warp;
    __syncthreads();
    T result = of_warp;
    if (Warps::thread() == 0)
      for (unsigned warp = 1; warp < Warps::kCount && static_cast<int>(warp * 32) < valid; ++warp)
        result = combine(result, of_warps_[warp]);
    return result;
  }
  template <class Operator>
  WARPFORK_DEVICE T Reduce(T value, Operator combine) {
    return Reduce(value, combine, static_cast<int>(Warps::kThreads));
  }
  template <int Items, class Operator>
  WARPFORK_DEVICE T Reduce(T (&values)[Items], Operator combine) {
    T value = values[0];
#pragma unroll
    for (int i = 1; i < Items; ++i) value = combine(value, values[i]);
    return Reduce(value, combine);
  }
  WARPFORK_DEVICE T Sum(T value) { return Reduce(value, cub::Sum()); }
  WARPFORK_DEVICE T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int Items>
  WARPFORK_DEVICE T Sum(T (&values)[Items]) {
    return Reduce(values, cub::Sum());
  }

 private:
  static WARPFORK_DEVICE TempStorage& own_room() {
    __shared__ TempStorage room;
    return room;
  }

  T* of_warps_;
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
