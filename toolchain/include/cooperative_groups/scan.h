/* cg::inclusive_scan(group, value, cg::plus<int>()): of each thread of a tile or a coalesced group the values up to its
   own put together; of exclusive_scan those before it (CUDA C++ Programming Guide, "Cooperative Groups", inclusive_scan
   and exclusive_scan). */
#pragma once

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
template <class Group, class T>
WARPFORK_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
WARPFORK_LINES_OF_FUNCTIONS
