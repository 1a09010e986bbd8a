// Finds warps of a functional run that wait in vain for others: what they see of memory repeats itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/resident_block.h"

namespace warpfork::gpu {

/// Hears single instructions of a block while nobody but this block runs.
///
/// A warp polls if the accesses that it was heard to make of global and shared memory (where, by which instruction, and
/// what stood there afterwards), and the barriers to which it came, are a sequence with a period that fits into it
/// twice, and nothing else ends: no thread exits. Something in it must be there for others: a load that is volatile,
/// relaxed, acquire or of shared memory (as an mbarrier's phase), an atomic operation, a fence or a barrier. Other
/// loads may be taken out of a loop by a compiler. Registers, local memory and clocks are not looked at: one who counts
/// while he waits, or pauses longer and longer, waits all the same. So this is a guess, and what follows from it may
/// only change the order of execution.
///
/// Where a launch does not poll this must cost nothing: of the stretches of so many instructions that warps run without
/// a break, the first, the second, the fourth, seventh, eleventh … of the launch is followed by a look, which is a
/// glance where that hears of nothing that is there for others. Waiting is found when it has lasted half as long as all
/// that the launch has run before.
class PollingWatch {
 public:
  static constexpr unsigned kStretch = 1 << 12, kGlance = 64, kLook = 256;  // instructions

  explicit PollingWatch(const simt::Program& program) : program_(program) {}

  /// A warp has run another stretch: whether it is to be heard now.
  bool is_due() {
    if (++stretches_ != next_look_) return false;
    next_look_ += next_look_ / 2 + 1;
    return true;
  }

  /// Forgets what it has heard.
  void begin();
  void stepped(const ResidentBlock& block, const Step& step);
  bool may_poll(WarpId warp) const { return warp < heard_.size() && heard_[warp].is_for_others; }
  bool polls(WarpId warp) const { return warp < heard_.size() && polls(heard_[warp]); }
  /// Whether all of the block's warps that can go on poll, and some do.
  bool gets_nowhere(const ResidentBlock& block) const;

 private:
  /// Of one warp.
  struct Heard {
    std::vector<std::uint64_t> accesses;  // and barriers, as hashes; the latest are left out where there are very many
    bool is_for_others = false, has_exited = false;
  };

  static void add(Heard& heard, std::uint64_t hash);
  static bool polls(const Heard& heard);
  bool is_for_others(const simt::MemoryAccess& access, Pc pc) const;

  const simt::Program& program_;
  std::uint64_t stretches_ = 0, next_look_ = 1;
  std::vector<Heard> heard_;  // by warp
};

}  // namespace warpfork::gpu
