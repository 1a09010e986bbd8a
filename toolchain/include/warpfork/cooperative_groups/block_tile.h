/* Tiles of more threads than a warp has. They wait for one another at a barrier in shared memory, and exchange values
   there. */
#pragma once

#include <warpfork/cooperative_groups/thread_group.h>
#include <warpfork/cooperative_groups/tile_memory.h>

namespace cooperative_groups {

template <unsigned Size>
class block_tile : public thread_group {
  static_assert(Size > 32 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, … up to 1024 threads, a power of two");

 public:
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static WARPFORK_DEVICE unsigned thread_rank() { return rank_in_block() % Size; }
  WARPFORK_DEVICE unsigned meta_group_rank() const { return meta_group_rank_; }
  WARPFORK_DEVICE unsigned meta_group_size() const { return meta_group_size_; }

  /* One lane of each warp comes for it and waits. */
  WARPFORK_DEVICE void sync() const {
    __syncwarp();
    if (rank_in_block() % 32 == 0) memory().wait_for(Size / 32);
    __syncwarp();
  }

  template <class T>
  WARPFORK_DEVICE T shfl(const T& value, int rank) const {
    static_assert(sizeof(T) <= tile_memory::kBytes, "threads exchange values of up to 32 bytes");
    if (thread_rank() == static_cast<unsigned>(rank) % Size) memory().put(0, value);
    sync();
    const T result = memory().template get<T>(0);
    sync();
    return result;
  }
  WARPFORK_DEVICE int any(int predicate) const { return count_of_warps(__any_sync(~0u, predicate)) != 0; }
  WARPFORK_DEVICE int all(int predicate) const { return count_of_warps(__all_sync(~0u, predicate)) == Size / 32; }

  /* For reductions and scans: what each warp gave, by its rank in the tile; whole warps ask together. */
  template <class T>
  WARPFORK_DEVICE void give(const T& of_warp) const {
    if (rank_in_block() % 32 == 0) memory().put(thread_rank() / 32, of_warp);
    sync();
  }
  template <class T>
  WARPFORK_DEVICE T given(unsigned warp) const {
    return memory().template get<T>(warp);
  }

 protected:
  /* For tiled_partition, which the parent's threads call together. */
  template <class Parent>
  WARPFORK_DEVICE block_tile(const Parent& parent, unsigned meta_group_rank, unsigned meta_group_size)
      : thread_group(0), meta_group_rank_(meta_group_rank), meta_group_size_(meta_group_size) {
    parent.sync();
    if (thread_rank() == 0) memory().begin();
    parent.sync();
  }

 private:
  static WARPFORK_DEVICE tile_memory memory() { return tile_memory(Size, rank_in_block() / Size); }
  WARPFORK_DEVICE unsigned count_of_warps(bool of_warp) const {
    give(of_warp);
    unsigned count = 0;
    for (unsigned warp = 0; warp < Size / 32; ++warp) count += given<bool>(warp);
    sync();
    return count;
  }

  unsigned meta_group_rank_, meta_group_size_;
};

}  // namespace cooperative_groups
