/* Of each thread of a block the values up to its own, or those before it, put together. */
#pragma once

#include <cub/block/warps.cuh>
#include <cub/thread/thread_operators.cuh>

WARPFORK_LINES_OF_CALLERS
namespace cub {

/* All of them are the same here: that of warps, of whose sums each thread takes those before its own. */
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BlockDimX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int BlockDimY = 1,
          int BlockDimZ = 1, int LegacyArchitecture = 0>
class BlockScan {
  using Warps = warpfork_warps<BlockDimX, BlockDimY, BlockDimZ>;
  using Lanes = warpfork_lanes<32>;
  template <class Items>
  struct Undeduced {
    using Type = Items;
  };
  template <class Items>
  using Same = typename Undeduced<Items>::Type; /* as the result, of which Items is deduced */

 public:
  using TempStorage = warpfork_room<T, Warps::kCount + 1>; /* each warp's sum, and the first value of a callback */

  WARPFORK_DEVICE BlockScan() : of_warps_(own_room().values()) {}
  WARPFORK_DEVICE explicit BlockScan(TempStorage& room) : of_warps_(room.values()) {}

  /* `Items` is T or T[N], of which a thread has N in a row. Aggregates are the block's, without a first value; a
     callback is told the aggregate by all threads of the first warp, and gives the first of them the first value. */
  template <class Items, class Operator>
  WARPFORK_DEVICE void InclusiveScan(const Same<Items>& in, Items& out, Operator combine) {
    T aggregate;
    scan<true>(in, out, combine, NoFirst(), aggregate);
  }
  template <class Items, class Operator>
  WARPFORK_DEVICE void InclusiveScan(const Same<Items>& in, Items& out, Operator combine, T& aggregate) {
    scan<true>(in, out, combine, NoFirst(), aggregate);
  }
  template <class Items, class Operator, class Callback>
  WARPFORK_DEVICE void InclusiveScan(const Same<Items>& in, Items& out, Operator combine, Callback& callback) {
    T aggregate;
    scan<true>(in, out, combine, FirstOf<Callback>{callback, of_warps_ + Warps::kCount}, aggregate);
  }
  /* Without a first value the first thread's result is anything. */
  template <class Items, class Operator>
  WARPFORK_DEVICE void ExclusiveScan(const Same<Items>& in, Items& out, Operator combine) {
    T aggregate;
    scan<false>(in, out, combine, NoFirst(), aggregate);
  }
  template <class Items, class Operator>
  WARPFORK_DEVICE void ExclusiveScan(const Same<Items>& in, Items& out, Operator combine, T& aggregate) {
    scan<false>(in, out, combine, NoFirst(), aggregate);
  }
  template <class Items, class Operator>
  WARPFORK_DEVICE void ExclusiveScan(const Same<Items>& in, Items& out, T first, Operator combine) {
    T aggregate;
    scan<false>(in, out, combine, First{first}, aggregate);
  }
  template <class Items, class Operator>
  WARPFORK_DEVICE void ExclusiveScan(const Same<Items>& in, Items& out, T first, Operator combine, T& aggregate) {
    scan<false>(in, out, combine, First{first}, aggregate);
  }
  template <class Items, class Operator, class Callback>
  WARPFORK_DEVICE void ExclusiveScan(const Same<Items>& in, Items& out, Operator combine, Callback& callback) {
    T aggregate;
    scan<false>(in, out, combine, FirstOf<Callback>{callback, of_warps_ + Warps::kCount}, aggregate);
  }

  template <class Items>
  WARPFORK_DEVICE void InclusiveSum(const Same<Items>& in, Items& out) {
    InclusiveScan(in, out, cub::Sum());
  }
  template <class Items, class More>
  WARPFORK_DEVICE void InclusiveSum(const Same<Items>& in, Items& out, More& aggregate_or_callback) {
    InclusiveScan(in, out, cub::Sum(), aggregate_or_callback);
  }
  template <class Items>
  WARPFORK_DEVICE void ExclusiveSum(const Same<Items>& in, Items& out) {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  template <class Items>
  WARPFORK_DEVICE void ExclusiveSum(const Same<Items>& in, Items& out, T& aggregate) {
    ExclusiveScan(in, out, T(), cub::Sum(), aggregate);
  }
  template <class Items, class Callback>
  WARPFORK_DEVICE void ExclusiveSum(const Same<Items>& in, Items& out, Callback& callback) {
    ExclusiveScan(in, out, cub::Sum(), callback);
  }

 private:
  /* Each says whether there is a first value. */
  struct NoFirst {
    WARPFORK_DEVICE bool operator()(const T&, T&) const { return false; }
  };
  struct First {
    WARPFORK_DEVICE bool operator()(const T&, T& value) const {
      value = first;
      return true;
    }
    T first;
  };
  template <class Callback>
  struct FirstOf {
    WARPFORK_DEVICE bool operator()(const T& aggregate, T& value) const {
      if (Warps::warp() == 0) {
        const T given = callback(aggregate);
        if (Warps::lane() == 0) *room = given;
      }
      __syncthreads();
      value = *room;
      return true;
    }
    Callback& callback;
    T* room;
  };

  template <bool is_inclusive, class Items, class Operator, class Before>
  WARPFORK_DEVICE void scan(const Items& in, Items& out, Operator combine, Before first, T& aggregate) {
    constexpr int count = sizeof(Items) / sizeof(T);
    const T* const from = reinterpret_cast<const T*>(&in);
    T* const to = reinterpret_cast<T*>(&out);
    T own = from[0];
#pragma unroll
    for (int i = 1; i < count; ++i) own = combine(own, from[i]);

    const unsigned lanes = Warps::lanes();
    const T inclusive = Lanes::inclusive_scan(lanes, own, combine), exclusive = Lanes::up(lanes, inclusive, 1);
    if ((lanes >> Warps::lane()) == 1) of_warps_[Warps::warp()] = inclusive;
    __syncthreads();
    aggregate = of_warps_[0];
    T before = aggregate, value;
    for (unsigned warp = 1; warp < Warps::kCount; ++warp) {
      if (warp == Warps::warp()) before = aggregate;
      aggregate = combine(aggregate, of_warps_[warp]);
    }
    bool any = Warps::warp() > 0;
    if (first(aggregate, value)) {
      before = any ? combine(value, before) : value;
      any = true;
    }

    if (is_inclusive && count == 1) {
      to[0] = any ? combine(before, inclusive) : inclusive;
      return;
    }
    if (Warps::lane() > 0) {
      before = any ? combine(before, exclusive) : exclusive;
      any = true;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const T item = from[i]; /* in and out may be one */
      const T sum = any ? combine(before, item) : item;
      to[i] = is_inclusive ? sum : before;
      before = sum;
      any = true;
    }
  }

  static WARPFORK_DEVICE TempStorage& own_room() {
    __shared__ TempStorage room;
    return room;
  }

  T* of_warps_;
};

}  // namespace cub
WARPFORK_LINES_OF_FUNCTIONS
