// Which instructions in flight write back in which cycle.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "gpu/in_flight_pool.h"

namespace warpfork::gpu {

/// A timing wheel. A completion is less than kSlots cycles ahead of the cycle in which it is known, and that less than
/// as many ahead of the present one.
class CompletionWheel {
 public:
  static constexpr unsigned kSlots = 1024;

  CompletionWheel() { heads_.fill(kNoInFlight); }

  void schedule(InFlightPool& pool, InFlightId id, Cycle now, Cycle at) {
    if (at - now - 1 >= kSlots - 1) refuse();  // the present one, too
    const unsigned slot = at % kTurn;
    pool[id].next = heads_[slot];
    heads_[slot] = id;
    occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
    latest_ = std::max(latest_, at);
  }
  /// The completions of this cycle, linked by InFlight::next; they leave the wheel.
  InFlightId take(Cycle now) {
    const unsigned slot = now % kTurn;
    const InFlightId head = heads_[slot];
    if (head == kNoInFlight) return head;
    heads_[slot] = kNoInFlight;
    occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    return head;
  }
  /// First cycle after `now` with a completion; kNever if there is none.
  Cycle next(Cycle now) const {
    if (latest_ <= now) return kNever;
    const unsigned start = (now + 1) % kTurn;
    std::uint64_t word = occupied_[start / 64] & (~std::uint64_t{0} << start % 64);
    for (unsigned i = 0; i <= kWords; ++i) {
      const unsigned index = (start / 64 + i) % kWords;
      if (i > 0) word = occupied_[index];
      if (word == 0) continue;
      const unsigned slot = index * 64 + static_cast<unsigned>(std::countr_zero(word));
      return now + 1 + (slot + kTurn - start) % kTurn;
    }
    return kNever;
  }
  /// A launch ends, with nothing in flight: the next one counts its cycles from 0.
  void end_kernel() { latest_ = 0; }

 private:
  /// Apart, so that schedule() stays short.
  [[gnu::noinline, gnu::cold]] static void refuse() {
    check(false, [] { return std::string("an execution latency exceeds the completion wheel"); });
  }

  static constexpr unsigned kTurn = 2 * kSlots, kWords = kTurn / 64;
  Cycle latest_ = 0;                              // completion so far
  std::array<std::uint64_t, kWords> occupied_{};  // a bit for each slot
  std::array<InFlightId, kTurn> heads_;           // by cycle mod kTurn
};

}  // namespace warpfork::gpu
