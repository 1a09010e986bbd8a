/* cg::memcpy_async(group, to, from, bytes): the group's threads copy together, and cg::wait(group) waits for it (CUDA
   C++ Programming Guide, "Cooperative Groups", memcpy_async). From global to shared memory no register is between them
   where the addresses and the size allow it. */
#pragma once

#include <warpfork/hide_macros.h>

#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include <cooperative_groups.h>
#include <warpfork/asynchronous_copies.h>
#include <warpfork/barriers/aligned_size.h>

WARPFORK_LINES_OF_CALLERS
namespace cooperative_groups {

/* `Size` is a number of bytes, or cuda::aligned_size_t. */
template <class Group, class T, class Size>
WARPFORK_DEVICE void memcpy_async(const Group& group, T* to, const void* from, const Size& bytes) {
  warpfork_copy(group, to, from, static_cast<size_t>(bytes));
  warpfork_commit_copies();
}
/* As many elements as there are on both sides. */
template <class Group, class T, class ToLayout, class FromLayout>
WARPFORK_DEVICE void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                                  const FromLayout& from_layout) {
  const size_t to_count = static_cast<size_t>(to_layout), from_count = static_cast<size_t>(from_layout);
  warpfork_copy(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
  warpfork_commit_copies();
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

#include <warpfork/show_macros.h>
