#include "divergence/dynamic_warps.h"

#include <algorithm>

namespace warpfork {

void DynamicWarps::resume(const SuspendedWarp& suspended) {
  DynamicWarp& warp = warps_[suspended.place];
  warp.frame = suspended.frame;
  warp.side = suspended.side;
  warp.turn = suspended.turn;
  warp.u_mask = suspended.u_mask;
  warp.threads = suspended.warp;
  WarpSplit& here = split(suspended.place);
  here.pc = suspended.pc;
  here.lanes = suspended.warp.lanes;
  here.reconvergence_pc = sides_[suspended.side].rpc;
  list_homes(suspended.place);
  sides_.enter(suspended.side, suspended.place);
  go_on(WarpSet::single(suspended.place));
}

void DynamicWarps::vacate(WarpSet places) {
  places.for_each([&](WarpId place) { sides_.leave(warps_[place].side, place); });
  runnable_ -= places;
  effects_.changed |= places;
}

void DynamicWarps::keep(WarpId place, ActiveMask lanes) {
  warps_[place].threads.lanes = lanes;
  split(place).lanes = lanes;
  list_homes(place);
  effects_.changed |= WarpSet::single(place);
}

unsigned DynamicWarps::align_turns(WarpSet places) {
  unsigned turn = 0;
  places.for_each([&](WarpId place) { turn = std::max(turn, warps_[place].turn); });
  places.for_each([&](WarpId place) { warps_[place].turn = turn; });
  return turn;
}

SuspendedWarp DynamicWarps::suspended(WarpId place, Pc pc, unsigned turn) const {
  const DynamicWarp& warp = warps_[place];
  return {pc, place, turn, warp.threads, warp.frame, warp.side, warp.u_mask};
}

std::span<const HomeLanes> DynamicWarps::threads_in(WarpId place, HomeLanes& alone) const {
  const WarpSplit& here = split(place);
  if (here.compacted()) return here.homes;
  alone = {place, here.lanes};
  return {&alone, 1};
}

void DynamicWarps::list_homes(WarpId place) {
  DynamicWarp& warp = warps_[place];
  WarpSplit& here = split(place);
  warp.homes.clear();
  if (!warp.threads.only_of(place)) warp.threads.list_homes(warp.homes);
  here.homes = warp.homes;
}

}  // namespace warpfork
