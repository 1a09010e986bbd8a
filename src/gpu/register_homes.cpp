#include "gpu/register_homes.h"

namespace warpfork::gpu {

void RegisterHomes::note_regrouped(unsigned warp, std::span<const SplitId> runnable) {
  const DivergenceDomain& domain = blocks_.block_of(warp).domain();
  WarpSlots homes;
  for (const SplitId split : runnable) {
    if (!domain.split(split).compacted()) homes.insert(warp);
    for (const HomeLanes& home : domain.split(split).homes) homes.insert(blocks_.first_warp_of(warp) + home.warp);
  }
  (warps_[warp].homes - homes).for_each([&](unsigned left) { warps_[left].users.erase(warp); });
  (homes - warps_[warp].homes).for_each([&](unsigned come) { warps_[come].users.insert(warp); });
  warps_[warp].homes = homes;
}

}  // namespace warpfork::gpu
