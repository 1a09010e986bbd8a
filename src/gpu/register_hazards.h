// Data hazards of a core's splits: the scoreboard, asked where each split's registers lie.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/core_spec.h"
#include "gpu/in_flight.h"
#include "gpu/kernel_tables.h"
#include "gpu/lane_organisation.h"
#include "gpu/pending_reads.h"
#include "gpu/register_homes.h"
#include "gpu/scoreboard.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Where registers are allocated, and the lanes do not read in the order of issue, an instruction also waits until
/// earlier ones of its warp have read what it writes (docs/adr/0028).
class RegisterHazards {
 public:
  /// `lane_masks` as for the Scoreboard, `regroups` for the RegisterHomes.
  RegisterHazards(const CoreSpec& spec, bool lane_masks, bool regroups, const BlockSlots& blocks)
      : blocks_(blocks),
        scoreboard_(warp_slots(spec), spec.scoreboard_entries, lane_masks),
        reads_(warp_slots(spec), lane_masks),
        homes_(warp_slots(spec), regroups, blocks) {}

  void begin_kernel(const KernelTables& kernel);

  /// What keeps the split in this warp's place from issuing the instruction at its pc: of a compacted one, in any of
  /// its home warps.
  Scoreboard::Hazard hazard(unsigned warp, const WarpSplit& split) const;
  /// What it overwrites may still have to be read; beside Scoreboard::Sign.
  static constexpr unsigned kToBeRead = 8, kSigns = 16;
  /// What the bits of the warp's registers say of the instruction at `pc`.
  unsigned signs(unsigned warp, Pc pc) const {
    const HazardTable::Use& use = table_->use(pc);
    return scoreboard_.signs(warp, use.touched, use.room) | reads_.may_hold_up(warp, use.overwritten) * kToBeRead;
  }
  /// Whether hazard() would say no more, of a split that is not compacted. Most splits need no more.
  bool tell_all(unsigned signs) const { return signs_are_exact_ || (signs & (Scoreboard::kPending | kToBeRead)) == 0; }

  /// The registers that the instruction writes, in its home warps, are pending.
  void reserve(const InFlight& record) {
    const bool by_memory = record.port == Port::Memory && record.space != simt::MemorySpace::Shared;
    if (record.home_count != 0) return reserve_in_homes(record, by_memory);
    scoreboard_.reserve(record.warp, *record.instruction, record.lanes, by_memory);
    if (table_->watches_reads()) reads_.add(record.warp, record.pc, record.lanes);
  }
  /// Places that its registers may hold up now, beside the warp's own.
  WarpSlots held_up_by(const InFlight& record) const {
    return homes_.regroups() && (table_->watches_reads() || record.instruction->destination_count != 0)
               ? sharers(record)
               : WarpSlots();
  }

  /// What may go on now that an instruction's registers are written.
  struct Release {
    WarpSlots places;           // whose registers these are; where nobody is regrouped, the instruction's own: left out
    std::uint64_t written = 0;  // Scoreboard::written()
    bool was_full = false;      // then others than those that wait for these registers may have waited for room
  };
  Release release(const InFlight& record) {
    if (homes_.regroups()) return release_in_homes(record);
    const bool was_full = scoreboard_.may_be_full(record.warp, table_->most_destinations());
    scoreboard_.release(record.warp, *record.instruction, record.lanes);
    return {{}, table_->use(record.pc).written, was_full};
  }
  /// Whether the instruction at `pc` may be one of those.
  bool may_go_on(Pc pc, const Release& release) const {
    return release.was_full || (table_->use(pc).touched & release.written) != 0;
  }

  /// The instruction has its operands: which these are, modulo 64. None if nothing can have waited for that.
  std::uint64_t operands_read(const InFlight& record) {
    if (!table_->watches_reads()) return 0;
    if (record.home_count != 0) return read_in_homes(record);
    return reads_.remove(record.warp, record.pc, record.lanes);
  }
  /// Whether the instruction at `pc`, in a place of users_of() whoever has read these, may have waited.
  bool may_go_on_behind(std::uint64_t read, Pc pc) const { return (table_->use(pc).overwritten & read) != 0; }

  /// The places that hold threads of the instruction's home warps, where any are regrouped.
  WarpSlots users_of(const InFlight& record) const {
    WarpSlots places;
    record.for_each_home([&](unsigned home, ActiveMask) { places |= homes_.users(home); });
    return places;
  }

  const Scoreboard& scoreboard() const { return scoreboard_; }
  RegisterHomes& homes() { return homes_; }
  const RegisterHomes& homes() const { return homes_; }

 private:
  Scoreboard::Hazard hazard_of_homes(unsigned warp, const WarpSplit& split) const;
  WarpSlots sharers(const InFlight& record) const;
  void reserve_in_homes(const InFlight& record, bool by_memory);
  Release release_in_homes(const InFlight& record);
  std::uint64_t read_in_homes(const InFlight& record);

  const BlockSlots& blocks_;
  Scoreboard scoreboard_;
  PendingReads reads_;
  RegisterHomes homes_;
  const HazardTable* table_ = nullptr;  // of the kernel
  bool signs_are_exact_ = false;        // likewise
};

}  // namespace warpfork::gpu
