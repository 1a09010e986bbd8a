// The scoreboard of DITVA (Kalathingal et al. 2017): when each lane's registers have their values.
#pragma once

#include <vector>

#include "base/types.h"
#include "ooo/paths/lane_mask.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

/// A bit for each register and lane in hardware; here the cycle in which it is cleared is known beforehand.
class LaneScoreboard {
 public:
  struct Value {
    Cycle ready = 0;
    bool loaded = false;  ///< from memory
  };

  explicit LaneScoreboard(unsigned lanes) : lanes_(lanes), values_(std::size_t{x86::kRegisterCount} * lanes) {}

  /// When all values that the µop reads in these lanes are there, and those that it replaces will be before its own,
  /// which takes `latency` cycles: two µops that write the flags may issue together. The value is the one that comes
  /// last.
  Value operands(const x86::Uop& uop, LaneMask lanes, unsigned latency) const;
  /// When all values of the lanes are there.
  Value all(LaneMask lanes) const;
  /// What the µop writes.
  void write(const x86::Uop& uop, LaneMask lanes, const Value& value);

 private:
  void need(Value& last, x86::RegisterId needed, LaneMask lanes, unsigned before) const;

  unsigned lanes_;
  std::vector<Value> values_;  // by register and lane
};

}  // namespace warpfork::ooo
