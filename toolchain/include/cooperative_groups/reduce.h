/* cg::reduce(group, value, cg::plus<int>()): one value of all threads of a tile or a coalesced group, given to each
   (CUDA C++ Programming Guide, "Cooperative Groups", reduce and its operators). */
#pragma once

#include <warpfork/hide_macros.h>

#define _COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>
#include <cuda/atomic>

WARPFORK_LINES_OF_CALLERS
namespace cooperative_groups {

#define WARPFORK_OPERATOR(name, expression)                                             \
  template <class T>                                                                    \
  struct name {                                                                         \
    WARPFORK_DEVICE T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };
WARPFORK_OPERATOR(plus, a + b)
WARPFORK_OPERATOR(less, b < a ? b : a)
WARPFORK_OPERATOR(greater, a < b ? b : a)
WARPFORK_OPERATOR(bit_and, a& b)
WARPFORK_OPERATOR(bit_or, a | b)
WARPFORK_OPERATOR(bit_xor, a ^ b)
#undef WARPFORK_OPERATOR

/* The atomic object's value becomes combine(it, value); what it was is returned. */
template <class Atomic, class T, class Operator>
WARPFORK_DEVICE T warpfork_update(const Atomic& object, T value, Operator combine) {
  T before = object.load(cuda::memory_order_relaxed);
  while (!object.compare_exchange_weak(before, combine(before, value), cuda::memory_order_relaxed)) continue;
  return before;
}
#define WARPFORK_UPDATE(operator_, function)                                \
  template <class Atomic, class T>                                          \
  WARPFORK_DEVICE T warpfork_update(const Atomic& object, T value, operator_<T>) { \
    return object.function(value, cuda::memory_order_relaxed);              \
  }
WARPFORK_UPDATE(plus, fetch_add)
WARPFORK_UPDATE(less, fetch_min)
WARPFORK_UPDATE(greater, fetch_max)
WARPFORK_UPDATE(bit_and, fetch_and)
WARPFORK_UPDATE(bit_or, fetch_or)
WARPFORK_UPDATE(bit_xor, fetch_xor)
#undef WARPFORK_UPDATE

/* A butterfly: after each step twice as many lanes have the same value. */
template <unsigned Size, class T, class Operator>
WARPFORK_DEVICE T reduce(const warp_tile<Size>& tile, T value, Operator combine) {
#pragma unroll
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    value = combine(value, tile.shfl_xor(value, distance));
  return value;
}
/* Each warp of its own, then what they have, by every thread. */
template <unsigned Size, class T, class Operator>
WARPFORK_DEVICE T reduce(const block_tile<Size>& tile, T value, Operator combine) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = combine(value, warpfork_exchange(value, [=](unsigned word) {
                      return __shfl_xor_sync(~0u, word, distance);
                    }));
  tile.give(value);
  T result = tile.template given<T>(0);
  for (unsigned warp = 1; warp < Size / 32; ++warp) result = combine(result, tile.template given<T>(warp));
  tile.sync();
  return result;
}
template <unsigned Size, class Parent, class T, class Operator>
WARPFORK_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operator combine) {
  return reduce(static_cast<const warpfork_tile<Size>&>(tile), value, combine);
}

/* How many threads the steps of a reduction or scan are to reach. The groups of a partition take as many, as sizes of
   their own would part them: mechanisms that move threads between warps take threads of one group apart then. */
template <class Group>
WARPFORK_DEVICE unsigned warpfork_reach(const Group& group) {
  return group.size();
}
WARPFORK_DEVICE unsigned warpfork_reach(const coalesced_group& group) {
  return group.meta_group_size() > 1 ? 32 : group.size();
}

/* Of each rank the value goes down to the rank that lacks its lowest bit; rank 0 has the result. */
template <class T, class Operator>
WARPFORK_DEVICE T reduce(const coalesced_group& group, T value, Operator combine) {
  const unsigned rank = group.thread_rank(), size = group.size(), reach = warpfork_reach(group);
  for (unsigned distance = 1; distance < reach; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < size) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

/* One thread stores the result, or changes the atomic object by it. */
template <class Group, class T, class Operator>
WARPFORK_DEVICE void reduce_store_async(const Group& group, T* to, T value, Operator combine) {
  const T result = reduce(group, value, combine);
  if (group.thread_rank() == 0) *to = result;
}
template <class Group, class Atomic, class T, class Operator, class Value = typename Atomic::value_type>
WARPFORK_DEVICE void reduce_store_async(const Group& group, const Atomic& to, T value, Operator combine) {
  const Value result = reduce(group, Value(value), combine);
  if (group.thread_rank() == 0) to.store(result, cuda::memory_order_relaxed);
}
template <class Group, class Atomic, class T, class Operator, class Value = typename Atomic::value_type>
WARPFORK_DEVICE void reduce_update_async(const Group& group, const Atomic& object, T value, Operator combine) {
  const Value result = reduce(group, Value(value), combine);
  if (group.thread_rank() == 0) warpfork_update(object, result, combine);
}

}  // namespace cooperative_groups
WARPFORK_LINES_OF_FUNCTIONS

#include <warpfork/show_macros.h>
