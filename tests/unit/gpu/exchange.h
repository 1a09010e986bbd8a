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
  void launch(Pc entry, std::span<const ActiveMask> lanes, std::uint64_t) override {
    splits_.assign(2 * kMaxWarpSize, {});
    for (WarpId place = 0; place < 2; ++place) {
      ids_[place] = place * kMaxWarpSize;
      splits_[ids_[place]] = {ids_[place], place, entry, lanes[place], kNoPc, homes_[place]};
      live_[place] = lanes[place];
    }
  }
  std::span<const SplitId> runnable(WarpId place) const override {
    return {&ids_[place], splits_[ids_[place]].lanes.any() && !waits_[place] ? 1u : 0u};
  }
  const DomainEffects& advance(SplitId id, std::span<const Path> paths, Pc) override {
    splits_[id].lanes = ActiveMask();
    if (paths.empty()) return changed(WarpSet(0b11));
    splits_[id].lanes = paths[0].lanes;
    splits_[id].pc = paths[0].pc;
    return changed(WarpSet());
  }
  const DomainEffects& wait(SplitId id) override { return set_waits(id, true); }
  const DomainEffects& release(SplitId id) override { return set_waits(id, false); }
  ActiveMask live(WarpId warp) const override { return live_[warp]; }

 private:
  const DomainEffects& set_waits(SplitId id, bool waits) {
    waits_[id / kMaxWarpSize] = waits;
    return changed(WarpSet::single(id / kMaxWarpSize));
  }
  const DomainEffects& changed(WarpSet warps) {
    effects_.changed = warps;
    return effects_;
  }

  std::array<SplitId, 2> ids_{};
  std::array<bool, 2> waits_{};
  std::array<ActiveMask, 2> live_;
  const std::array<std::array<HomeLanes, 2>, 2> homes_{
      {{{{0, ActiveMask(kEven)}, {1, ActiveMask(~kEven)}}}, {{{0, ActiveMask(~kEven)}, {1, ActiveMask(kEven)}}}}};
};

}  // namespace warpfork::gpu
