// Registers with pending writes, per warp and lane: the R-mask scoreboard (MULTIPATH section 3.3.2, Figure 8b).
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <optional>
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

  /// A kernel begins. `few_registers`: has_bits_of_its_own() is true of all its instructions.
  void begin_kernel(bool few_registers) { few_registers_ = few_registers; }
  /// Whether no two registers of a code of such instructions share a bit.
  static bool has_bits_of_its_own(const simt::Instruction& instruction);

  enum class Hazard : std::uint8_t { None, Read, Full, Register, Memory };
  /// What keeps these lanes of the warp from issuing the instruction, of several the last of these; Memory if a load or
  /// an atomic is to blame. Read, that a destination is still to be read, is for RegisterHazards to say.
  Hazard hazard(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes) const;
  /// Likewise, if the bits of the registers that are touched() by the instruction say it; nothing if it takes a search.
  std::optional<Hazard> hazard_at_once(unsigned warp, const simt::Instruction& instruction,
                                       std::uint64_t touched) const {
    const std::uint64_t clash = warps_[warp].pending & touched;
    if (clash == 0)
      return pending(warp) && may_be_full(warp, instruction.destination_count) ? Hazard::Full : Hazard::None;
    if (lane_masks_ || !few_registers_) return std::nullopt;
    return (clash & warps_[warp].by_memory) != 0 ? Hazard::Memory : Hazard::Register;
  }
  /// What the bits alone say of an instruction, without a branch: a sum of these.
  enum Sign : unsigned {
    kPending = 1,          // something that it touches, perhaps for other lanes, or in another register
    kPendingByMemory = 2,  // of that, by a load or an atomic
    kFull = 4              // unless something is pending, it finds no room
  };
  /// `room`: room_beside() of its destinations.
  unsigned signs(unsigned warp, std::uint64_t touched, unsigned room) const {
    const Warp& of = warps_[warp];
    const std::uint64_t clash = of.pending & touched;
    return (clash != 0) * kPending | ((clash & of.by_memory) != 0) * kPendingByMemory | (of.count > room) * kFull;
  }
  /// How many entries a warp may have that issues an instruction with so many destinations, if it may have `entries` at
  /// a time; none is always right.
  static unsigned room_beside(unsigned entries, unsigned destinations) {
    const unsigned limit = limit_of(entries);
    return limit - std::min(limit, destinations);
  }
  /// Whether what is pending is so for all lanes, and for the very registers.
  bool signs_are_exact() const { return !lane_masks_ && few_registers_; }
  /// Of lanes in several home warps, numbered from `first_warp` on; `touched` is touched() of the instruction.
  Hazard hazard(unsigned first_warp, const simt::Instruction& instruction, std::uint64_t touched,
                std::span<const HomeLanes> homes) const;
  /// Whether an instruction with so many destinations finds no room if it needs an entry for each.
  bool may_be_full(unsigned warp, unsigned destinations) const { return warps_[warp].count + destinations > limit_; }
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
  void reserve(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes, bool by_memory) {
    for (unsigned i = 0; i < instruction.destination_count; ++i)
      reserve(warps_[warp], instruction.destinations[i], lanes, by_memory);
  }
  /// Clears the lanes in the R-mask of every destination.
  void release(unsigned warp, const simt::Instruction& instruction, ActiveMask lanes) {
    for (unsigned i = 0; i < instruction.destination_count; ++i)
      release(warps_[warp], instruction.destinations[i], lanes);
  }
  /// Calls visit(register, lanes, by_memory) for the warp's pending registers in the order of their reservation.
  template <class Visit>
  void for_each_pending(unsigned warp, Visit&& visit) const {
    for (const Entry& entry : in_order(warps_[warp])) visit(entry.reg, entry.lanes, entry.by_memory);
  }
  bool pending(unsigned warp) const { return warps_[warp].count != 0; }
  /// These as in Figure 9: "%1 1111, %2 1010".
  std::string describe(unsigned warp, unsigned width) const;

 private:
  /// A register with pending writes.
  struct Entry {
    ActiveMask lanes;
    bool by_memory = false;
    std::uint16_t reg = 0;
    std::uint32_t number = 0;  // of the warp's, as they were reserved
  };
  struct Warp {
    std::uint64_t pending = 0;    // a bit for each pending register number mod 64: a quick no
    std::uint64_t by_memory = 0;  // of these, those of loads and atomics
    unsigned count = 0;           // of the entries, which are few: they are searched
    std::uint32_t reserved = 0;   // so far
    std::vector<Entry> entries;
  };
  static constexpr unsigned kBits = 64;
  static unsigned limit_of(unsigned entries) { return entries == 0 ? UINT_MAX : entries; }
  static std::uint64_t bit(std::uint16_t reg) { return std::uint64_t{1} << reg % kBits; }
  /// Of the register; null if it has none.
  template <class AnyWarp>
  static auto find(AnyWarp& warp, std::uint16_t reg) -> decltype(warp.entries.data()) {
    if ((warp.pending & bit(reg)) != 0)
      for (auto& entry : warp.entries)
        if (entry.reg == reg) return &entry;
    return nullptr;
  }
  static void reserve(Warp& warp, std::uint16_t reg, ActiveMask lanes, bool by_memory) {
    if (Entry* const entry = find(warp, reg); entry != nullptr) {
      entry->lanes |= lanes;
      entry->by_memory |= by_memory;
    } else {
      warp.entries.push_back({lanes, by_memory, reg, warp.reserved++});
      ++warp.count;
    }
    warp.pending |= bit(reg);
    warp.by_memory |= by_memory ? bit(reg) : 0;
  }
  void release(Warp& warp, std::uint16_t reg, ActiveMask lanes) const {
    Entry* const entry = find(warp, reg);
    if (entry == nullptr) return;
    if (const ActiveMask left = entry->lanes - lanes; left.any()) {
      entry->lanes = left;
      return;
    }
    *entry = warp.entries.back();
    warp.entries.pop_back();
    --warp.count;
    warp.pending &= ~bit(reg);
    warp.by_memory &= ~bit(reg);
    if (!few_registers_) note_others(warp, reg);
  }
  static std::vector<Entry> in_order(const Warp& warp);
  static void note_others(Warp& warp, std::uint16_t reg);

  unsigned limit_;
  bool lane_masks_;
  bool few_registers_ = true;  // no two share a bit
  std::vector<Warp> warps_;
};

}  // namespace warpfork::gpu
