// Registers with pending writes, per warp and lane: the R-mask scoreboard (MULTIPATH section 3.3.2, Figure 8b).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/active_mask.h"
#include "divergence/warp_split.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Read-after-write and write-after-write hazards at register and lane level; no forwarding. Without lane masks a write
/// that is pending for any lane of the warp holds up all of them.
class Scoreboard {
 public:
  /// `entries` registers of each warp may have pending writes at a time; 0 = as many as there are.
  Scoreboard(unsigned warps, unsigned entries, bool lane_masks = true);

  enum class Hazard : std::uint8_t { None, Full, Register, Memory };
  /// What keeps these lanes of the warp from issuing the instruction, of several the last of these; Memory if a load or
  /// an atomic is to blame.
  Hazard hazard(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes) const;
  /// Of lanes in several home warps, numbered from `first_warp` on; `needed` is touched() of the instruction.
  Hazard hazard(unsigned first_warp, const simt::Instruction& instruction, std::uint64_t needed,
                std::span<const HomeLanes> homes) const;
  /// Whether an instruction with so many destinations finds no room if it needs an entry for each.
  bool may_be_full(unsigned warp, unsigned destinations) const {
    return limit_ != 0 && warps_[warp].entries.size() + destinations > limit_;
  }
  /// Whether hazard() may find one for an instruction that reads or writes the touched() registers: a quick no.
  bool may_hold_up(unsigned warp, std::uint64_t touched, unsigned destinations) const {
    return (warps_[warp].signature & touched) != 0 || may_be_full(warp, destinations);
  }
  /// Whether an instruction that issues may hold up one with so many destinations that other lanes of the warp wait to
  /// issue.
  bool may_hold_up_others(unsigned warp, unsigned destinations) const {
    return !lane_masks_ || may_be_full(warp, destinations);
  }
  /// Register numbers mod 64 that the instruction writes, and that it reads or writes: it does not depend on another
  /// one if touched() of it and written() of that have no bit in common.
  static std::uint64_t written(const simt::Instruction& instruction);
  static std::uint64_t touched(const simt::Instruction& instruction);
  /// ORs the lanes into the R-mask of every destination.
  void reserve(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes, bool by_memory);
  /// Clears the lanes in the R-mask of every destination.
  void release(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes);
  /// Calls visit(register, lanes, by_memory) for the warp's pending registers in the order of their reservation.
  template <class Visit>
  void for_each_pending(unsigned warp, Visit&& visit) const {
    for (const Entry& entry : warps_[warp].entries) visit(entry.reg, entry.lanes, entry.by_memory);
  }
  bool pending(unsigned warp) const { return !warps_[warp].entries.empty(); }
  /// These as in Figure 9: "%1 1111, %2 1010".
  std::string describe(unsigned warp, unsigned width) const;

 private:
  struct Entry {
    std::uint16_t reg;
    bool by_memory;
    ActiveMask lanes;
  };
  struct Warp {
    std::uint64_t signature = 0;  // a bit for each pending register number mod 64: a quick no
    std::vector<Entry> entries;
  };
  static std::uint64_t bit(std::uint16_t reg) { return std::uint64_t{1} << reg % 64; }
  static const Entry* find(const Warp& warp, std::uint16_t reg);

  unsigned limit_;
  bool lane_masks_;
  std::vector<Warp> warps_;
};

}  // namespace warpfork::gpu
