// What instructions cost together.
#pragma once

#include <array>
#include <map>
#include <string>

#include "report/json.h"

namespace warpfork::html_report {

/// What all of a kernel cost: what shares are of.
struct KernelTotal {
  double scheduler_cycles = 0, lane_slots = 0;
};

class InstructionCost {
 public:
  /// An entry of a result's `lines/instructions`.
  void add(const report::Json& instruction);
  void add(const InstructionCost& other);

  double lane_slots() const { return of(Threads) + of(Lost); }
  /// The keys that kernel_costs.h lists.
  report::Json told(const KernelTotal& kernel) const;

 private:
  /// What is counted, in the order of the keys in instruction_cost.cpp.
  enum Count {
    Issues,
    Threads,
    Lost,
    Requests,
    Transactions,
    SharedRequests,
    ConflictRounds,
    Misses,
    Awaited,
    kCounts
  };

  double of(Count count) const { return counts_[count]; }

  std::array<double, kCounts> counts_{};
  std::map<std::string, double> stalls_;  // scheduler cycles by cause
};

}  // namespace warpfork::html_report
