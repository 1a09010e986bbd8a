/* Any lanes of a warp: those that run together now, or that a partition chose. Ranks count the members in lane
   order. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>
#include <warpfork/cooperative_groups/words.h>

namespace cooperative_groups {

class coalesced_group : public thread_group {
 public:
  /* Of the groups that a partition made, which this is and how many there are. */
  WARPFORK_DEVICE unsigned meta_group_rank() const { return meta_group_rank_; }
  WARPFORK_DEVICE unsigned meta_group_size() const { return meta_group_size_; }

  template <class T>
  WARPFORK_DEVICE T shfl(const T& value, unsigned rank) const {
    const unsigned lane = lane_of(rank);
    return warpfork_exchange(value, [=](unsigned word) { return __shfl_sync(lanes(), word, lane); });
  }
  /* Who would read beyond the group keeps its own value. */
  template <class T>
  WARPFORK_DEVICE T shfl_up(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank < delta ? rank : rank - delta);
  }
  template <class T>
  WARPFORK_DEVICE T shfl_down(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, delta < size() - rank ? rank + delta : rank);
  }

  WARPFORK_DEVICE int any(int predicate) const { return __any_sync(lanes(), predicate); }
  WARPFORK_DEVICE int all(int predicate) const { return __all_sync(lanes(), predicate); }
  WARPFORK_DEVICE unsigned ballot(int predicate) const { return by_rank(__ballot_sync(lanes(), predicate)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class T>
  WARPFORK_DEVICE unsigned match_any(T value) const {
    return by_rank(__match_any_sync(lanes(), value));
  }
  template <class T>
  WARPFORK_DEVICE unsigned match_all(T value, int& all) const {
    return by_rank(__match_all_sync(lanes(), value, &all));
  }

  /* For the partitions: the members of `parent`, which lies within a warp, that have the same label. */
  template <class Label>
  WARPFORK_DEVICE coalesced_group(const thread_group& parent, Label label)
      : thread_group(__match_any_sync(parent.lanes(), label)) {
    const unsigned firsts = __ballot_sync(parent.lanes(), thread_rank() == 0); /* one lane of each group */
    const unsigned first = lanes() & -lanes();
    meta_group_rank_ = __popc(firsts & (first - 1));
    meta_group_size_ = __popc(firsts);
  }
#endif

 private:
  friend __device__ coalesced_group coalesced_threads();
  WARPFORK_DEVICE explicit coalesced_group(unsigned lanes)
      : thread_group(lanes), meta_group_rank_(0), meta_group_size_(1) {}

  WARPFORK_DEVICE unsigned lane_of(unsigned rank) const {
    return lanes() == ~0u ? rank : __fns(lanes(), 0, static_cast<int>(rank) + 1);
  }
  /* Bit r of the result is that of the member with rank r. */
  WARPFORK_DEVICE unsigned by_rank(unsigned lanes_of_warp) const {
    if (lanes() == ~0u) return lanes_of_warp;
    unsigned result = 0, rank = 0;
    for (unsigned rest = lanes(); rest != 0; rest &= rest - 1, ++rank)
      result |= (lanes_of_warp >> (__ffs(rest) - 1) & 1) << rank;
    return result;
  }

  unsigned meta_group_rank_, meta_group_size_;
};

WARPFORK_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace cooperative_groups
