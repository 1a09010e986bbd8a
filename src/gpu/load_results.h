// Results of loads on their way to the register banks of one temporal lane.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/register_banks.h"

namespace warpfork::gpu {

/// As many at a time as there are banks (STSIMT 3.7: writes of several instructions overlap).
class LoadResults {
 public:
  explicit LoadResults(unsigned room) : room_(room) { results_.reserve(room); }

  bool empty() const { return results_.empty(); }
  /// Whether there is room for a result, of whose group 0 these are the banks, and that it has come.
  bool add(BankSet first_group, std::uint64_t groups) {
    if (results_.size() == room_) return false;
    if (first_group != 0) results_.push_back({first_group, groups});
    return true;
  }
  /// One cycle: of each, oldest first, a group is written if its banks are free. Returns the banks written.
  BankSet write(RegisterBanks& banks, Cycle now) {
    BankSet written = 0;
    for (Result& result : results_) {
      const BankSet of_group = banks.shifted(result.banks, static_cast<unsigned>(std::countr_zero(result.groups)));
      if (!banks.book_write(of_group, now)) continue;
      result.groups &= result.groups - 1;
      written |= of_group;
    }
    std::erase_if(results_, [](const Result& result) { return result.groups == 0; });
    return written;
  }

 private:
  struct Result {
    BankSet banks = 0;         // of group 0
    std::uint64_t groups = 0;  // still to be written
  };
  unsigned room_;
  std::vector<Result> results_;  // oldest first
};

}  // namespace warpfork::gpu
