// What the temporal lanes of a core share.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/lane_instruction.h"
#include "gpu/shared_memory_ports.h"
#include "gpu/special_function_units.h"
#include "gpu/stage_register.h"

namespace warpfork::gpu {

/// In each cycle the lanes take turns, from lane `first` on.
struct SharedUnits {
  /// What refused a thread.
  enum class Refusal : std::uint8_t { None, Word, Special };

  SharedMemoryPorts banks;
  SpecialFunctionUnits special;
  StageRegister memory;  // between address generation and the load/store unit
  unsigned lanes = 1, first = 0;
  Refusal refusal = Refusal::None;  // of a thread of the lane whose turn it is
  std::uint64_t displaced = 0;      // lanes whose streams must end, as another lane comes first

  bool precedes(unsigned lane, unsigned other) const {
    return (lane + lanes - first) % lanes < (other + lanes - first) % lanes;
  }
  /// Whether shared memory gives the lane the word in this cycle. A bank of which another lane's stream wants another
  /// one is that lane's if its turn is first.
  bool serve_word(unsigned lane, std::uint64_t address, Cycle now) {
    const std::uint64_t others = banks.lanes_in_the_way(address, now);
    for (std::uint64_t rest = others; rest != 0; rest &= rest - 1)
      if (precedes(static_cast<unsigned>(std::countr_zero(rest)), lane)) return false;
    displaced |= others;
    return banks.serve(address, now);
  }
  /// Of these threads of the lane's instruction those get away that get their word in this cycle, or enter a
  /// special-function unit; `refusal` says why others have not.
  void serve(std::uint64_t& threads, const LaneInstruction& of, const InFlight& record, unsigned lane, Cycle now) {
    const bool is_special = of.way == LaneInstruction::Way::Special;
    if (is_special)
      while (threads != 0 && special.serve(of.special, now)) threads &= threads - 1;
    else
      for (std::uint64_t rest = threads; rest != 0; rest &= rest - 1)
        if (serve_word(lane, record.extra->transaction[std::countr_zero(rest)].address, now))
          threads &= ~(rest & -rest);
    if (threads != 0) refusal = is_special ? Refusal::Special : Refusal::Word;
  }
};

}  // namespace warpfork::gpu
