// The same work under several divergence mechanisms, side by side, and why the fastest one won.
#pragma once

#include <string>
#include <vector>

#include "report/result_document.h"

namespace warpfork::report {

/// One run of a comparison.
struct Contestant {
  std::string mechanism;
  Json totals;  // of its result document
};

/// A row for each contestant, in the given order; speed-ups are against the first one.
///
/// Printed sample:
///   mechanism       cycles  speed-up  SIMD efficiency  idle cycles
///   pdom           123 456     1.00×           31.2 %       60 000
///   multi-path-or   98 765     1.25×           45.1 %       40 000
std::string comparison_table(const std::vector<Contestant>& contestants);

/// One sentence, derived from the numbers alone.
///
/// Printed sample:
///   multi-path-or took 20.0 % fewer cycles than pdom: it issued 12.1 % fewer warp instructions (SIMD efficiency 31.2 %
///   → 45.1 %) and its cores idled 33.3 % less (waiting for memory fell most).
std::string comparison_reason(const std::vector<Contestant>& contestants);

}  // namespace warpfork::report
