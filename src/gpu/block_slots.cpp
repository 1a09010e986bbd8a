#include "gpu/block_slots.h"

namespace warpfork::gpu {

void BlockSlots::begin_kernel(const simt::Launch& launch, unsigned blocks, const DomainMaker& make_domain) {
  slots_.clear();
  warps_per_block_ = launch.warps_per_block();
  for (unsigned slot = 0; slot < blocks; ++slot) {
    slots_.push_back({std::make_unique<ResidentBlock>(launch, make_domain())});
    for (WarpId warp = 0; warp < warps_per_block_; ++warp)
      warps_[first_warp(slot) + warp] = {slots_.back().block.get(), slot, first_warp(slot), warp};
  }
  free_ = blocks == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << blocks) - 1;
}

void BlockSlots::end_kernel() {
  slots_.clear();
  ages_.clear();
  free_ = 0;
}

unsigned BlockSlots::start(Dim3 index, unsigned core) {
  const auto slot = static_cast<unsigned>(std::countr_zero(free_));
  free_ &= free_ - 1;
  ++running_;
  ++placements_;
  slots_[slot].warps_left = warps_per_block_;
  slots_[slot].block->start(index, core);
  ages_.add(warps_of(slot));
  live_ |= warps_of(slot);
  return slot;
}

void BlockSlots::retire(unsigned warp) {
  finishing_.erase(warp);
  ++placements_;
  const unsigned slot = slot_of(warp);
  if (--slots_[slot].warps_left != 0) return;
  ages_.remove(warps_of(slot));
  free_ |= std::uint64_t{1} << slot;
  --running_;
}

std::string BlockSlots::describe(std::string_view prefix, const Wait& wait) const {
  std::string text;
  for (const Slot& slot : slots_) {
    if (slot.warps_left == 0) continue;
    const unsigned first = first_warp(static_cast<unsigned>(&slot - slots_.data()));
    text += prefix;
    text += slot.block->describe([&](const WarpSplit& split) { return wait(first + split.warp, split.id); });
  }
  return text;
}

}  // namespace warpfork::gpu
