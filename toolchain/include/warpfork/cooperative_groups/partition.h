/* Groups divided into groups. */
#pragma once

#include <warpfork/cooperative_groups/coalesced_group.h>
#include <warpfork/cooperative_groups/thread_block.h>
#include <warpfork/cooperative_groups/thread_block_tile.h>

namespace cooperative_groups {

/* Tiles whose size the compiler knows: of a block, of a larger tile, of any group that is one of them. */
template <unsigned Size>
WARPFORK_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block, block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
WARPFORK_DEVICE thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> tiled_partition(
    const thread_block_tile<ParentSize, Grandparent>& parent) {
  static_assert(Size <= ParentSize, "a tile is not larger than the tile that it divides");
  return {parent, parent.thread_rank() / Size, ParentSize / Size};
}
template <unsigned Size>
WARPFORK_DEVICE thread_block_tile<Size> tiled_partition(const thread_group& parent) {
  return {parent, parent.thread_rank() / Size, (parent.size() + Size - 1) / Size};
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
/* The members of a tile or a coalesced group that have the same label, or the same answer. */
template <class Label>
WARPFORK_DEVICE coalesced_group labeled_partition(const thread_group& parent, Label label) {
  return coalesced_group(parent, label);
}
WARPFORK_DEVICE coalesced_group binary_partition(const thread_group& parent, bool answer) {
  return coalesced_group(parent, static_cast<int>(answer));
}
template <class Label>
coalesced_group labeled_partition(const thread_block&, Label) = delete;
coalesced_group binary_partition(const thread_block&, bool) = delete;

/* Threads of consecutive ranks, `size` to a group, as long as there are any; `size` is a power of two up to 32. */
WARPFORK_DEVICE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
  return coalesced_group(parent, parent.thread_rank() / size);
}
template <unsigned Size>
WARPFORK_DEVICE coalesced_group tiled_partition(const coalesced_group& parent) {
  return tiled_partition(parent, Size);
}
WARPFORK_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
  if (parent.lanes() != 0) return coalesced_group(parent, parent.thread_rank() / size);
  const unsigned first = parent.thread_rank() / size * size;
  return thread_group(~0u >> (32 - min(size, parent.size() - first)) << first % 32);
}
#endif

}  // namespace cooperative_groups
