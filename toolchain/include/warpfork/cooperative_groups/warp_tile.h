/* A tile within a warp: `Size` consecutive threads, a number that the compiler knows. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>
#include <warpfork/cooperative_groups/words.h>

namespace cooperative_groups {

template <unsigned Size>
class warp_tile : public thread_group {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, … threads, a power of two");

 public:
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static WARPFORK_DEVICE unsigned thread_rank() { return __nvvm_read_ptx_sreg_laneid() % Size; }
  WARPFORK_DEVICE void sync() const { __syncwarp(lanes()); }
  /* Which of the parent's tiles this is, and how many there are. */
  WARPFORK_DEVICE unsigned meta_group_rank() const { return meta_group_rank_; }
  WARPFORK_DEVICE unsigned meta_group_size() const { return meta_group_size_; }

  template <class T>
  WARPFORK_DEVICE T shfl(const T& value, int rank) const {
    return warpfork_exchange(value, [=](unsigned word) { return __shfl_sync(lanes(), word, rank, Size); });
  }
  template <class T>
  WARPFORK_DEVICE T shfl_up(const T& value, unsigned delta) const {
    return warpfork_exchange(value, [=](unsigned word) { return __shfl_up_sync(lanes(), word, delta, Size); });
  }
  template <class T>
  WARPFORK_DEVICE T shfl_down(const T& value, unsigned delta) const {
    return warpfork_exchange(value, [=](unsigned word) { return __shfl_down_sync(lanes(), word, delta, Size); });
  }
  template <class T>
  WARPFORK_DEVICE T shfl_xor(const T& value, unsigned distance) const {
    return warpfork_exchange(value, [=](unsigned word) { return __shfl_xor_sync(lanes(), word, distance, Size); });
  }

  WARPFORK_DEVICE int any(int predicate) const { return __any_sync(lanes(), predicate); }
  WARPFORK_DEVICE int all(int predicate) const { return __all_sync(lanes(), predicate); }
  WARPFORK_DEVICE unsigned ballot(int predicate) const { return of_tile(__ballot_sync(lanes(), predicate)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
  template <class T>
  WARPFORK_DEVICE unsigned match_any(T value) const {
    return of_tile(__match_any_sync(lanes(), value));
  }
  template <class T>
  WARPFORK_DEVICE unsigned match_all(T value, int& all) const {
    return of_tile(__match_all_sync(lanes(), value, &all));
  }
#endif

 protected:
  template <class Parent>
  WARPFORK_DEVICE warp_tile(const Parent&, unsigned meta_group_rank, unsigned meta_group_size)
      : thread_group(~0u >> (32 - Size) << first_lane()),
        meta_group_rank_(meta_group_rank),
        meta_group_size_(meta_group_size) {}

 private:
  static WARPFORK_DEVICE unsigned first_lane() { return __nvvm_read_ptx_sreg_laneid() / Size * Size; }
  static WARPFORK_DEVICE unsigned of_tile(unsigned lanes_of_warp) { return lanes_of_warp >> first_lane(); }

  unsigned meta_group_rank_, meta_group_size_;
};

}  // namespace cooperative_groups
