#include "html_report/instruction_cost.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "html_report/rounded.h"

namespace warpfork::html_report {

namespace {

using report::Json;

Json ratio(double part, double whole) { return whole == 0 ? Json() : Json(rounded(part / whole)); }

}  // namespace

void InstructionCost::add(const Json& instruction) {
  static constexpr std::array<const char*, kCounts> kKeys = {
      "issues",          "thread_instructions", "lost_lane_slots", "requests", "transactions",
      "shared_requests", "conflict_rounds",     "misses",          "awaited"};
  for (std::size_t i = 0; i < kCounts; ++i) counts_[i] += instruction.value(kKeys[i], 0.0);  // older results have fewer
  for (const auto& [cause, cycles] : instruction.at("stalled").items()) stalls_[cause] += cycles.get<double>();
}

void InstructionCost::add(const InstructionCost& other) {
  for (std::size_t i = 0; i < kCounts; ++i) counts_[i] += other.counts_[i];
  for (const auto& [cause, cycles] : other.stalls_) stalls_[cause] += cycles;
}

Json InstructionCost::told(const KernelTotal& kernel) const {
  double time = of(Issues);
  for (const auto& [cause, cycles] : stalls_) time += cycles;
  const auto worst = std::max_element(stalls_.begin(), stalls_.end(),
                                      [](const auto& one, const auto& other) { return one.second < other.second; });
  const bool stalled = worst != stalls_.end() && worst->second > 0;
  return {{"issues", of(Issues)},
          {"time", ratio(time, kernel.scheduler_cycles)},
          {"cause", stalled ? worst->first : ""},
          {"stalled", stalled ? ratio(worst->second, kernel.scheduler_cycles) : Json()},
          {"lost", ratio(of(Lost), kernel.lane_slots)},
          {"lanes", ratio(of(Threads), of(Issues))},
          {"transactions", ratio(of(Transactions), of(Requests))},
          {"rounds", ratio(of(SharedRequests) + of(ConflictRounds), of(SharedRequests))},
          {"misses", of(Misses)},
          {"awaited", ratio(of(Awaited), kernel.scheduler_cycles)}};
}

}  // namespace warpfork::html_report
