// What block-wide compaction did at one branch, or at all (docs/result-schema.md, "compaction"; CAPRI section III).
#pragma once

#include <cstdint>

namespace warpfork::report {

/// At a compaction barrier warps wait for each other at the branch; it opens when nobody else can come.
struct CompactionCount {
  std::uint64_t waited = 0, bypassed = 0, bypassed_right = 0, bypassed_wrong = 0;
  std::uint64_t right = 0, wrong = 0, undivided = 0, warps_before = 0, warps_after = 0;
  std::uint64_t cycles_waited_for_nothing = 0;

  /// Nobody met there, or passed without waiting.
  bool empty() const { return waited + bypassed + bypassed_right + bypassed_wrong == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("waited", waited, "warps", "that waited, summed over barriers");
    v.count("bypassed", bypassed, "warps", "that diverged and did not wait, as the predictor advised");
    v.count("bypassed_right", bypassed_right, "warps",
            "of these, those that would have waited in vain: had all warps that diverged there met, as many warps as "
            "before would have been needed");
    v.count("bypassed_wrong", bypassed_wrong, "warps", "the others: fewer warps would have been needed");
    v.count("right", right, "barriers", "after which fewer warps were needed than before: compaction paid");
    v.count("wrong", wrong, "barriers", "whose threads went different ways in as many warps as before");
    v.count("undivided", undivided, "barriers", "whose threads all went one way: there was nothing to compact");
    v.count("warps_before", warps_before, "warps",
            "of `right` and `wrong`: warps with threads on a side, summed over the sides that had to run");
    v.count("warps_after", warps_after, "warps", "of these: compacted warps");
    v.count(
        "cycles_waited_for_nothing", cycles_waited_for_nothing, "core cycles",
        "between the branch and the opening of the barrier, summed over the warps of `wrong` and `undivided` barriers");
  }
};

}  // namespace warpfork::report
