#include "report/lane_count.h"

#include <algorithm>

#include "report/ratio.h"

namespace warpfork::report {

void LaneCount::add(const LaneCycles& cycles) {
  lanes = cycles.lanes;
  width = cycles.width;
  core_cycles += cycles.cycles;
  holding += cycles.holding * cycles.cycles;
  available += cycles.available * cycles.cycles;
  if (cycles.conflicts != 0) conflicts[std::min(cycles.conflicts, 3u) - 1] += cycles.cycles;
}

Json to_json(const LaneCount& count) {
  const auto mean = [&](Cycle sum) { return ratio(double(sum), double(count.core_cycles)); };
  return {{"lanes", count.lanes},
          {"width", count.width},
          {"threads", count.threads},
          {"thread_slots", count.thread_slots},
          {"effective_simd_efficiency", ratio(double(count.threads), double(count.thread_slots))},
          {"core_cycles", count.core_cycles},
          {"holding_cycles", count.holding},
          {"available_cycles", count.available},
          {"mean_holding", mean(count.holding)},
          {"mean_available", mean(count.available)},
          {"issue_conflicts",
           {{"one", count.conflicts[0]}, {"two", count.conflicts[1]}, {"three_or_more", count.conflicts[2]}}}};
}

void add(LaneCount& sum, const Json& count) {
  const auto number = [&](const char* key) { return count.at(key).get<std::uint64_t>(); };
  sum.lanes = static_cast<unsigned>(number("lanes"));
  sum.width = static_cast<unsigned>(number("width"));
  sum.threads += number("threads");
  sum.thread_slots += number("thread_slots");
  sum.core_cycles += number("core_cycles");
  sum.holding += number("holding_cycles");
  sum.available += number("available_cycles");
  const Json& conflicts = count.at("issue_conflicts");
  const char* const names[] = {"one", "two", "three_or_more"};
  for (unsigned i = 0; i < 3; ++i) sum.conflicts[i] += conflicts.at(names[i]).get<std::uint64_t>();
}

}  // namespace warpfork::report
