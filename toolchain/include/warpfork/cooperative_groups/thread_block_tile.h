/* A tile: `Size` consecutive threads of a block, a number that the compiler knows. `Parent` is the group that was
   divided; a tile of any parent is also a thread_block_tile<Size>. */
#pragma once

#include <warpfork/cooperative_groups/block_tile.h>
#include <warpfork/cooperative_groups/warp_tile.h>

#include <type_traits>

namespace cooperative_groups {

template <unsigned Size>
using warpfork_tile = typename std::conditional<(Size <= 32), warp_tile<Size>, block_tile<Size>>::type;

template <unsigned Size, class Parent = void>
class thread_block_tile;

template <unsigned Size>
class thread_block_tile<Size, void> : public warpfork_tile<Size> {
 public:
  /* For tiled_partition: which of the parent's tiles this is, and how many there are. */
  template <class Parent>
  WARPFORK_DEVICE thread_block_tile(const Parent& parent, unsigned meta_group_rank, unsigned meta_group_size)
      : warpfork_tile<Size>(parent, meta_group_rank, meta_group_size) {}
};

template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size> {
 public:
  using thread_block_tile<Size>::thread_block_tile;
};

}  // namespace cooperative_groups
