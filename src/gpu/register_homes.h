// In which warps the registers lie of the threads that run in a warp's place: a thread's stay in its home warp wherever
// it is regrouped to (CAPRI section II).
#pragma once

#include <span>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

class RegisterHomes {
 public:
  /// `regroups`: whether threads of one warp may run in another one's place (DivergenceMechanism); else each place is a
  /// home to itself.
  RegisterHomes(unsigned warps, bool regroups, const BlockSlots& blocks)
      : blocks_(blocks), regroups_(regroups), warps_(warps) {}

  bool regroups() const { return regroups_; }

  /// The splits that may issue in the warp's place are these from now on.
  void note(unsigned warp, std::span<const SplitId> runnable) {
    if (regroups_) note_regrouped(warp, runnable);
  }
  /// Places with splits that hold threads whose registers lie in this warp.
  WarpSlots users(unsigned home) const { return regroups_ ? warps_[home].users : WarpSlots::single(home); }

 private:
  struct Warp {
    WarpSlots homes;  // whose threads run in this one's place, and…
    WarpSlots users;  // …the places in which threads of this one run
  };
  void note_regrouped(unsigned warp, std::span<const SplitId> runnable);

  const BlockSlots& blocks_;
  bool regroups_;
  std::vector<Warp> warps_;
};

}  // namespace warpfork::gpu
