/* A thread as a group of its own, and work that one thread of a group does. */
#pragma once

#include <warpfork/cooperative_groups/thread_block.h>
#include <warpfork/cooperative_groups/thread_block_tile.h>

namespace cooperative_groups {

WARPFORK_DEVICE thread_block_tile<1> this_thread() { return thread_block_tile<1>(this_thread_block(), 0, 1); }

template <class Group, class Work, class... Arguments>
WARPFORK_DEVICE void invoke_one(const Group& group, Work&& work, Arguments&&... arguments) {
  if (group.thread_rank() == 0) work(static_cast<Arguments&&>(arguments)...);
}
/* Its result is given to all threads of the tile, or of the coalesced group. */
template <class Group, class Work, class... Arguments>
WARPFORK_DEVICE auto invoke_one_broadcast(const Group& group, Work&& work, Arguments&&... arguments)
    -> decltype(work(static_cast<Arguments&&>(arguments)...)) {
  decltype(work(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = work(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
