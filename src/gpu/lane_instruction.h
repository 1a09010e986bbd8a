// A warp instruction as a temporal lane sees it.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/in_flight.h"
#include "gpu/register_banks.h"

namespace warpfork::gpu {

/// A group is `width` neighbouring threads, aligned.
struct LaneInstruction {
  enum class Way : std::uint8_t { Arithmetic, Special, Shared, Memory };
  static constexpr unsigned kMaxReads = simt::Instruction::kMaxSources;

  InFlightId id = kNoInFlight;
  Way way = Way::Arithmetic;
  std::uint64_t groups = 1;  // with a thread that executes, bit g; one even if there is none
  unsigned interval = 1;     // cycles for which a group keeps the arithmetic units
  unsigned depth = 0;        // cycles from there to its result
  unsigned special = 0;      // for which a warp keeps the special-function units
  BankSet writes = 0;        // of group 0, likewise:
  /// Banks that are read; those read twice; three times …: registers of one group in one bank are read in turn.
  std::array<BankSet, kMaxReads> reads{};
};

}  // namespace warpfork::gpu
