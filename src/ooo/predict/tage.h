// The 64 Kbit TAGE branch predictor of Table I (SIMT-X), after Seznec, "A New Case for the TAGE Branch Predictor"
// (2011).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ooo/predict/branch_history.h"

namespace warpfork::ooo {

/// A bimodal base and seven tagged tables with geometric history lengths. The longest history whose tag matches
/// provides; a wrong prediction allocates an entry with a longer one, where `useful` bits allow. Tables are of the
/// core; histories are of the paths and handed in. Updates are made when branches commit, with what predict() returned.
class Tage {
 public:
  struct Prediction {
    bool taken = false;
    bool provider_taken = false, alternate_taken = false;
    bool provider_is_new = false;  ///< allocated and not yet proven
    std::int8_t provider = kBase, alternate = kBase;
    std::uint16_t base_index = 0;
    std::array<std::uint16_t, BranchHistory::kTables> index{}, tag{};
  };

  Tage();
  Prediction predict(std::uint64_t pc, const BranchHistory& history) const;
  void update(const Prediction& prediction, bool taken);

  /// Of all tables and counters.
  static constexpr unsigned storage_bits();

 private:
  static constexpr int kBase = -1;  // the base predictor, among tables
  static constexpr int kTables = BranchHistory::kTables;
  static constexpr unsigned kEntries = 1u << BranchHistory::kIndexBits;
  static constexpr unsigned kBaseEntries = 4096, kBaseBits = 2;
  static constexpr unsigned kCounterBits = 3, kUsefulBits = 2;
  static constexpr unsigned kChoiceBits = 4, kTickBits = 8, kRandomBits = 16;

  struct Entry {
    std::int8_t counter = 0;  // −4 … 3; taken if not negative
    std::uint8_t useful = 0;  // 0 … 3
    std::uint16_t tag = 0;
  };

  Entry& entry(const Prediction& prediction, int table);
  const Entry& entry(const Prediction& prediction, int table) const;
  bool counter_taken(const Prediction& prediction, int table) const;
  void train(const Prediction& prediction, int table, bool taken);
  void update_provider(const Prediction& prediction, bool taken);
  void allocate(const Prediction& prediction, bool taken);
  bool random_bit();

  std::vector<Entry> entries_;      // table after table
  std::vector<std::uint8_t> base_;  // 0 … 3; taken from 2 on
  int choice_ = 0;                  // −8 … 7; not negative: the alternate is better than a new provider
  unsigned tick_ = 0;               // allocations that found no room, less those that did
  std::uint16_t random_ = 1;        // a shift register: the same in every run
};

constexpr unsigned Tage::storage_bits() {
  unsigned bits = kBaseEntries * kBaseBits + kChoiceBits + kTickBits + kRandomBits;
  for (const unsigned tag : BranchHistory::kTagBits) bits += kEntries * (kCounterBits + kUsefulBits + tag);
  return bits;
}
static_assert(Tage::storage_bits() <= 64 * 1024);

}  // namespace warpfork::ooo
