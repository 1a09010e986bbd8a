// Operands that instructions in flight have still to read: write-after-read hazards (STSIMT section 4.3).
#pragma once

#include <cstdint>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "gpu/hazard_table.h"

namespace warpfork::gpu {

/// Of the warps of a core, by the places of their allocated registers; both of a 64-bit register's.
class PendingReads {
 public:
  /// Without lane masks what any lane of the warp has still to read holds up all of them.
  PendingReads(unsigned warps, bool lane_masks) : lane_masks_(lane_masks), warps_(warps) {}

  /// A kernel begins; the table says whether its reads are watched.
  void begin_kernel(const HazardTable& table) { table_ = &table; }

  /// Whether hold_up() may be true for an instruction that writes these places, modulo 64, in any lanes: a quick no.
  bool may_hold_up(unsigned warp, std::uint64_t written) const { return (warps_[warp].signature & written) != 0; }
  /// Whether hold_up() is true wherever may_hold_up() is.
  bool signs_are_exact() const { return !lane_masks_ && table_->has_few_places(); }
  /// Whether an instruction that was added reads, in these lanes, what the one at `pc` writes.
  bool hold_up(unsigned warp, Pc pc, ActiveMask lanes) const;
  /// The instruction at `pc` has been issued for these lanes.
  void add(unsigned warp, Pc pc, ActiveMask lanes) {
    const std::uint64_t read = table_->read(pc);
    if (read == 0) return;
    warps_[warp].readers.push_back({pc, lanes, read});
    warps_[warp].signature |= read;
  }
  /// It has read its operands: their places modulo 64. None if it had not been added.
  std::uint64_t remove(unsigned warp, Pc pc, ActiveMask lanes);

 private:
  struct Reader {
    Pc pc;
    ActiveMask lanes;
    std::uint64_t read;  // the table's, which lies elsewhere
  };
  struct Warp {
    std::uint64_t signature = 0;  // what its readers read, modulo 64
    std::vector<Reader> readers;
  };

  bool lane_masks_;
  const HazardTable* table_ = nullptr;  // of the kernel
  std::vector<Warp> warps_;             // by slot
};

}  // namespace warpfork::gpu
