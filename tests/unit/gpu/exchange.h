// The simplest mechanism that runs threads of one warp in another one's place.
#pragma once

#include <array>
#include <cstdint>

#include "divergence/divergence_domain.h"

namespace warpfork::gpu {

inline constexpr std::uint32_t kEven = 0x55555555;

/// Two warps that exchange their odd lanes before the first instruction. Straight-line code only.
class Exchange : public DivergenceDomain {
 public:
  void launch(Pc entry, std::span<const ActiveMask> lanes) override {
    splits_.assign(2 * kMaxWarpSize, {});
    for (WarpId place = 0; place < 2; ++place) {
      ids_[place] = place * kMaxWarpSize;
      splits_[ids_[place]] = {ids_[place], place, entry, lanes[place], kNoPc, true};
      live_[place] = lanes[place];
    }
  }
  std::span<const SplitId> runnable(WarpId place) const override {
    return {&ids_[place], splits_[ids_[place]].lanes.any() && !waits_[place] ? 1u : 0u};
  }
  WarpSet advance(SplitId id, std::span<const Path> paths, Pc) override {
    splits_[id].lanes = ActiveMask();
    if (paths.empty()) return WarpSet(0b11);
    splits_[id].lanes = paths[0].lanes;
    splits_[id].pc = paths[0].pc;
    return WarpSet();
  }
  WarpSet wait(SplitId id) override { return set_waits(id, true); }
  WarpSet release(SplitId id) override { return set_waits(id, false); }
  ActiveMask live(WarpId warp) const override { return live_[warp]; }
  std::string describe(WarpId) const override { return ""; }
  std::span<const HomeLanes> homes(SplitId id) const override { return id == 0 ? homes_[0] : homes_[1]; }

 private:
  WarpSet set_waits(SplitId id, bool waits) {
    waits_[id / kMaxWarpSize] = waits;
    return WarpSet::lane(id / kMaxWarpSize);
  }

  std::array<SplitId, 2> ids_{};
  std::array<bool, 2> waits_{};
  std::array<ActiveMask, 2> live_;
  const std::array<std::array<HomeLanes, 2>, 2> homes_{
      {{{{0, ActiveMask(kEven)}, {1, ActiveMask(~kEven)}}}, {{{0, ActiveMask(~kEven)}, {1, ActiveMask(kEven)}}}}};
};

}  // namespace warpfork::gpu
