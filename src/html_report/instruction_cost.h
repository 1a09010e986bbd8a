// What instructions cost together.
#pragma once

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

  double lane_slots() const { return threads_ + lost_; }
  /// The keys that kernel_costs.h lists.
  report::Json told(const KernelTotal& kernel) const;

 private:
  double issues_ = 0, threads_ = 0, lost_ = 0, requests_ = 0, transactions_ = 0, shared_requests_ = 0, rounds_ = 0,
         misses_ = 0;
  std::map<std::string, double> stalls_;  // scheduler cycles by cause
};

}  // namespace warpfork::html_report
