// The 64 bits of an mbarrier (PTX ISA, "mbarrier": the opaque object), as spell_out_mbarriers() keeps them.
#pragma once

#include <cstdint>

namespace warpfork::lower {

/// From the lowest 20 arrivals that are still missing in this phase, 20 that each phase waits for, 21 the bytes that
/// are missing and 2^20, 3 the number of the phase.
struct MbarrierWord {
  static constexpr unsigned kCountBits = 20, kBytesShift = 2 * kCountBits, kPhaseShift = 61;
  static constexpr std::uint64_t kOne = 1, kCount = (kOne << kCountBits) - 1, kArrival = (kOne << kCountBits) + 1,
                                 kByte = kOne << kBytesShift, kOnePhase = kOne << kPhaseShift;
  /// So much more than the bytes that are missing stands in their field, which may be less than none.
  static constexpr std::uint64_t kNoBytes = kByte << kCountBits;
  /// What of the object says whether its phase is over.
  static constexpr std::uint64_t kMissing = kCount | (kOnePhase - kByte);

  /// What the object is when `difference` has been added: in the next phase if nothing is missing then. To be one step,
  /// as who sees the object between a phase's last arrival and the next phase would end the phase once more.
  static constexpr std::uint64_t changed(std::uint64_t before, std::uint64_t difference) {
    const std::uint64_t after = before + difference;
    if ((after & kMissing) != kNoBytes) return after;
    return after + (after >> kCountBits & kCount) + kOnePhase;
  }
};

}  // namespace warpfork::lower
