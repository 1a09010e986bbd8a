// What the blocks of a launch without timing have in common.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/functional_turns.h"
#include "gpu/livelock_watch.h"
#include "gpu/polling_watch.h"

namespace warpfork::gpu {

/// Of all blocks of a launch.
struct FunctionalCounts {
  std::uint64_t issued = 0, executed = 0, scalar = 0;  // warp instructions, thread instructions, scalar warp ones
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes{};
};

/// What the blocks of a launch have in common.
struct FunctionalState {
  FunctionalState(const simt::Program& program, const MachineDivergenceSpec& divergence)
      : livelock(program, divergence), polling(program) {}

  const Turns& turns() const { return is_waited ? kShortTurns : kTurns; }
  void begin_to_hear(bool of_livelocks) {
    hears_of_livelocks = of_livelocks && livelock.can_claim();
    if (hears_of_livelocks) livelock.begin();
    polling.begin();
  }
  void stepped(const ResidentBlock& block, const Step& step) {
    if (hears_of_livelocks) livelock.stepped(block, step);
    if (is_alone) polling.stepped(block, step);
  }
  /// After all that happened since begin_to_hear().
  bool is_stuck(const ResidentBlock& block) const { return hears_of_livelocks && livelock.is_stuck(block); }

  FunctionalCounts counts;
  LivelockWatch livelock;
  PollingWatch polling;
  bool is_waited = false;  // some warp was seen to wait in vain
  bool is_alone = true;    // blocks run one after the other
  bool hears_of_livelocks = false;
};

}  // namespace warpfork::gpu
