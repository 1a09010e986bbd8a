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
  const auto count = [&](const char* key) { return instruction.at(key).get<double>(); };
  issues_ += count("issues");
  threads_ += count("thread_instructions");
  lost_ += count("lost_lane_slots");
  requests_ += count("requests");
  transactions_ += count("transactions");
  shared_requests_ += count("shared_requests");
  rounds_ += count("shared_requests") + count("conflict_rounds");
  misses_ += count("misses");
  for (const auto& [cause, cycles] : instruction.at("stalled").items()) stalls_[cause] += cycles.get<double>();
}

void InstructionCost::add(const InstructionCost& other) {
  issues_ += other.issues_;
  threads_ += other.threads_;
  lost_ += other.lost_;
  requests_ += other.requests_;
  transactions_ += other.transactions_;
  shared_requests_ += other.shared_requests_;
  rounds_ += other.rounds_;
  misses_ += other.misses_;
  for (const auto& [cause, cycles] : other.stalls_) stalls_[cause] += cycles;
}

Json InstructionCost::told(const KernelTotal& kernel) const {
  double time = issues_;
  for (const auto& [cause, cycles] : stalls_) time += cycles;
  const auto worst = std::max_element(stalls_.begin(), stalls_.end(),
                                      [](const auto& one, const auto& other) { return one.second < other.second; });
  const bool stalled = worst != stalls_.end() && worst->second > 0;
  return {{"issues", issues_},
          {"time", ratio(time, kernel.scheduler_cycles)},
          {"cause", stalled ? worst->first : ""},
          {"stalled", stalled ? ratio(worst->second, kernel.scheduler_cycles) : Json()},
          {"lost", ratio(lost_, kernel.lane_slots)},
          {"lanes", ratio(threads_, issues_)},
          {"transactions", ratio(transactions_, requests_)},
          {"rounds", ratio(rounds_, shared_requests_)},
          {"misses", misses_}};
}

}  // namespace warpfork::html_report
