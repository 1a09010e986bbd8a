// What a machine description may set for its divergence mechanism.
#pragma once

#include <string>
#include <string_view>

namespace warpfork {

/// The predictor that knows the outcome (CompactionOracle).
inline constexpr std::string_view kOraclePredictor = "oracle";

/// [divergence] in the machine file.
struct DivergenceSpec {
  /// Splits of one warp that may issue at a time: the size of the split table; 0 = no limit (multi-path
  /// family, warp-subdivision; dual-path knows 1; MULTIPATH section 5).
  unsigned max_splits = 0;
  /// Entries of a warp's reconvergence table; further ones are spilled to memory; 0 = no limit (multi-path family).
  unsigned reconvergence_entries = 0;
  /// A branch subdivides a warp if the basic block at its reconvergence point has at most so many instructions; 0 =
  /// every branch does (warp-subdivision only).
  unsigned subdivide_limit = 50;
  /// The lanes that a warp's threads have (simt/lane_permutation.h; tbc and capri).
  std::string lane_permutation = "identity";
  /// Whether a compaction would pay: "latest" as in CAPRI section III, or its bounds "always", "never" and "oracle"
  /// (capri only).
  std::string predictor = "latest";
  /// Entries of the predictor's table; 0 = one for every branch (capri only).
  unsigned predictor_entries = 0;
  /// Low bits of the branch pc that do not choose an entry of a table of limited size (capri only).
  unsigned predictor_index_shift = 0;
};

}  // namespace warpfork
