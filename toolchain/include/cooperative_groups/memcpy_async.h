/* cg::memcpy_async(group, to, from, bytes): the group's threads copy together, and cg::wait(group) waits for it (CUDA
   C++ Programming Guide, "Cooperative Groups", memcpy_async). From global to shared memory no register is between them
   where the addresses and the size allow it. */
#pragma once

#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include <cooperative_groups.h>
#include <warpfork/asynchronous_copies.h>

WARPFORK_LINES_OF_CALLERS
namespace cooperative_groups {

template <unsigned unit, class Group>
WARPFORK_DEVICE void warpfork_copy_units(const Group& group, char* to, const char* from, size_t bytes) {
  for (size_t at = size_t{group.thread_rank()} * unit; at < bytes; at += size_t{group.size()} * unit)
    warpfork_copy_async<unit>(to + at, from + at, 0);
}

template <class Group>
WARPFORK_DEVICE void warpfork_copy(const Group& group, void* to_any, const void* from_any, size_t bytes) {
  char* const to = static_cast<char*>(to_any);
  const char* const from = static_cast<const char*>(from_any);
  const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  const bool is_asynchronous = __isShared(to) && __isGlobal(from);
  if (is_asynchronous && alignment % 16 == 0)
    warpfork_copy_units<16>(group, to, from, bytes);
  else if (is_asynchronous && alignment % 4 == 0)
    warpfork_copy_units<4>(group, to, from, bytes);
  else
    for (size_t at = group.thread_rank(); at < bytes; at += group.size()) to[at] = from[at];
  warpfork_commit_copies();
}

/* `Size` is a number of bytes, or cuda::aligned_size_t. */
template <class Group, class T, class Size>
WARPFORK_DEVICE void memcpy_async(const Group& group, T* to, const void* from, const Size& bytes) {
  warpfork_copy(group, to, from, static_cast<size_t>(bytes));
}
/* As many elements as there are on both sides. */
template <class Group, class T, class ToLayout, class FromLayout>
WARPFORK_DEVICE void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                                  const FromLayout& from_layout) {
  const size_t to_count = static_cast<size_t>(to_layout), from_count = static_cast<size_t>(from_layout);
  warpfork_copy(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

/* Until what the group's threads copied is there; of wait_prior, but for the latest `Stage` copies. */
template <unsigned Stage, class Group>
WARPFORK_DEVICE void wait_prior(const Group& group) {
  warpfork_wait_for_copies<Stage>();
  group.sync();
}
template <class Group>
WARPFORK_DEVICE void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups
WARPFORK_LINES_OF_FUNCTIONS
