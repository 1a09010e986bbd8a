#include "gpu/register_homes.h"

namespace warpfork::gpu {

void RegisterHomes::note_regrouped(unsigned warp, std::span<const SplitId> runnable) {
  const DivergenceDomain& domain = blocks_.block_of(warp).domain();
  WarpSlots homes = 0;
  for (const SplitId split : runnable) {
    if (!domain.split(split).compacted()) homes |= WarpSlots{1} << warp;
    for (const HomeLanes& home : domain.split(split).homes)
      homes |= WarpSlots{1} << (blocks_.first_warp_of(warp) + home.warp);
  }
  for (WarpSlots left = warps_[warp].homes & ~homes; left != 0; left &= left - 1)
    warps_[static_cast<unsigned>(std::countr_zero(left))].users &= ~(WarpSlots{1} << warp);
  for (WarpSlots come = homes & ~warps_[warp].homes; come != 0; come &= come - 1)
    warps_[static_cast<unsigned>(std::countr_zero(come))].users |= WarpSlots{1} << warp;
  warps_[warp].homes = homes;
}

}  // namespace warpfork::gpu
