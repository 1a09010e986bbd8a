/* cg::inclusive_scan(group, value, cg::plus<int>()): of each thread of a tile or a coalesced group the values up to its
   own put together; of exclusive_scan those before it (CUDA C++ Programming Guide, "Cooperative Groups", inclusive_scan
   and exclusive_scan). */
#pragma once

#include <warpfork/hide_macros.h>

#define _COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

WARPFORK_LINES_OF_CALLERS
namespace cooperative_groups {

/* After each step a thread's value covers twice as many threads (Hillis and Steele, "Data Parallel Algorithms", 1986).
 */
template <class Group, class T, class Operator>
WARPFORK_DEVICE T inclusive_scan(const Group& group, T value, Operator combine) {
  const unsigned reach = warpfork_reach(group);
  for (unsigned distance = 1; distance < reach; distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = combine(before, value);
  }
  return value;
}
/* Of a tile of several warps: each of its own, then what is in those before it. */
template <unsigned Size, class T, class Operator>
WARPFORK_DEVICE T warpfork_scan(const block_tile<Size>& tile, T value, Operator combine, bool is_inclusive) {
  const unsigned warp = tile.thread_rank() / 32, lane = tile.thread_rank() % 32;
  const auto shift = [](T v, unsigned by) {
    return warpfork_exchange(v, [=](unsigned word) { return __shfl_up_sync(~0u, word, by); });
  };
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T before = shift(value, distance);
    if (lane >= distance) value = combine(before, value);
  }
  tile.give(warpfork_exchange(value, [](unsigned word) { return __shfl_sync(~0u, word, 31); }));
  T before = tile.template given<T>(0);
  for (unsigned i = 1; i < warp; ++i) before = combine(before, tile.template given<T>(i));
  tile.sync();
  const T previous = shift(value, 1);
  if (is_inclusive) return warp == 0 ? value : combine(before, value);
  if (lane == 0) return warp == 0 ? T() : before;
  return warp == 0 ? previous : combine(before, previous);
}
template <unsigned Size, class Parent, class T, class Operator, class = typename std::enable_if<(Size > 32)>::type>
WARPFORK_DEVICE T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operator combine) {
  return warpfork_scan(tile, value, combine, true);
}
template <class Group, class T>
WARPFORK_DEVICE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/* The first thread's result is T(). */
template <class Group, class T, class Operator>
WARPFORK_DEVICE T exclusive_scan(const Group& group, T value, Operator combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <unsigned Size, class Parent, class T, class Operator, class = typename std::enable_if<(Size > 32)>::type>
WARPFORK_DEVICE T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operator combine) {
  return warpfork_scan(tile, value, combine, false);
}
template <class Group, class T>
WARPFORK_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

/* The last thread changes the atomic object by the values of all. All get what it was. */
template <class Group, class Atomic, class T, class Operator>
WARPFORK_DEVICE T warpfork_update_by_last(const Group& group, const Atomic& object, T up_to_own, Operator combine) {
  T before{};
  if (group.thread_rank() + 1 == group.size()) before = warpfork_update(object, up_to_own, combine);
  return group.shfl(before, group.size() - 1);
}
/* The same of a number that the object holds and the threads' values, in this order; it then holds all together. */
template <class Group, class Atomic, class T, class Operator, class Value = typename Atomic::value_type>
WARPFORK_DEVICE Value inclusive_scan_update(const Group& group, const Atomic& object, T value, Operator combine) {
  const Value up_to_own = inclusive_scan(group, Value(value), combine);
  return combine(warpfork_update_by_last(group, object, up_to_own, combine), up_to_own);
}
template <class Group, class Atomic, class T, class Value = typename Atomic::value_type>
WARPFORK_DEVICE Value inclusive_scan_update(const Group& group, const Atomic& object, T value) {
  return inclusive_scan_update(group, object, value, plus<Value>());
}
template <class Group, class Atomic, class T, class Operator, class Value = typename Atomic::value_type>
WARPFORK_DEVICE Value exclusive_scan_update(const Group& group, const Atomic& object, T value, Operator combine) {
  const Value up_to_own = inclusive_scan(group, Value(value), combine);
  const Value before = warpfork_update_by_last(group, object, up_to_own, combine);
  const Value before_own = group.shfl_up(up_to_own, 1);
  return group.thread_rank() == 0 ? before : combine(before, before_own);
}
template <class Group, class Atomic, class T, class Value = typename Atomic::value_type>
WARPFORK_DEVICE Value exclusive_scan_update(const Group& group, const Atomic& object, T value) {
  return exclusive_scan_update(group, object, value, plus<Value>());
}

}  // namespace cooperative_groups
WARPFORK_LINES_OF_FUNCTIONS

#include <warpfork/show_macros.h>
