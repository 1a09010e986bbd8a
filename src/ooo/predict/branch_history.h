// Global branch history, speculative and one per path: what a TAGE predictor hashes (Seznec 2011).
#pragma once

#include <array>
#include <cstdint>

namespace warpfork::ooo {

/// A value of 72 bytes: a path keeps one, a new path copies it, and a misprediction puts the copy back that was made
/// before the branch. The history's outcomes are kept folded to the widths of TAGE's indices and tags, so that a
/// prediction does not go over 160 bits.
class BranchHistory {
 public:
  static constexpr unsigned kTables = 7;
  /// Outcomes that each table sees: geometric, 4 × 1.85^i.
  static constexpr std::array<unsigned, kTables> kLengths{4, 7, 14, 25, 47, 87, 160};
  static constexpr unsigned kIndexBits = 9;
  static constexpr std::array<unsigned, kTables> kTagBits{8, 8, 9, 10, 11, 12, 12};

  /// The outcome of the branch at pc; of an unconditional one: taken.
  void push(std::uint64_t pc, bool taken);

  unsigned index_of(unsigned table) const { return folded_[table].index; }
  unsigned tag_of(unsigned table) const { return folded_[table].tag ^ folded_[table].shorter_tag << 1; }
  /// Bits of the last 16 branches' addresses.
  unsigned path() const { return path_; }

  bool operator==(const BranchHistory&) const = default;

 private:
  struct Folded {
    std::uint16_t index = 0, tag = 0, shorter_tag = 0;
    bool operator==(const Folded&) const = default;
  };

  bool outcome(unsigned ago) const { return outcomes_[ago / 64] >> ago % 64 & 1; }

  std::array<std::uint64_t, 3> outcomes_{};  // bit 0 of the first: the latest
  std::array<Folded, kTables> folded_{};
  std::uint16_t path_ = 0;
};

}  // namespace warpfork::ooo
