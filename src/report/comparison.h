// The same work under several divergence mechanisms, side by side, and why each won or lost.
#pragma once

#include <string>
#include <vector>

#include "report/launch_totals.h"

namespace warpfork::report {

/// One run of a comparison.
struct Contestant {
  std::string mechanism;
  LaunchTotals totals;
  bool cut_off = false;  // by a limit, in its last launch: its numbers are no run's
};

/// A row for each contestant, in the given order; speed-ups are against the first one, if both ran to the end.
///
/// Printed sample:
///   mechanism       cycles  speed-up  SIMD efficiency  idle cycles
///   pdom           123 456     1.00×           31.2 %       60 000
///   multi-path-or   98 765     1.25×           45.1 %       40 000
std::string comparison_table(const std::vector<Contestant>& contestants);

/// A line for each contestant but the first, against which it is held: what made it faster or slower and, after
/// "though", what worked against that. Derived from the numbers alone; a change below half a percent is none.
///
/// Printed sample:
///   multi-path-or took 20.0 % fewer cycles than pdom: it issued 12.1 % fewer warp instructions (SIMD efficiency 31.2 %
///   → 45.1 %) and its cores idled 33.3 % less (stalls by cause 'memory' fell most), though its L1 data caches missed
///   8.0 % more.
///   tbc took 3.0 % more cycles than pdom: its cores idled 4.0 % more (stalls by cause 'compaction' grew most), though
///   it issued 10.0 % fewer warp instructions (SIMD efficiency 31.2 % → 34.7 %).
std::string comparison_reasons(const std::vector<Contestant>& contestants);

}  // namespace warpfork::report
