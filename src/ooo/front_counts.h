// What the front end of a warp counts.
#pragma once

#include <cstdint>

namespace warpfork::ooo {

/// Of committed instructions, each counted once for all its lanes, but for missed_divergences (at the flush).
struct FrontCounts {
  std::uint64_t instructions = 0;           ///< each fetched once for one or more lanes; not those of wrong paths
  std::uint64_t thread_instructions = 0;    ///< sum of their lanes
  std::uint64_t branches = 0;               ///< that may go more than one way
  std::uint64_t divergent_branches = 0;     ///< those of which lanes went different ways
  std::uint64_t predicted_divergent = 0;    ///< those that became buops
  std::uint64_t branch_mispredictions = 0;  ///< wrong direction or target
  std::uint64_t missed_divergences = 0;     ///< predicted uniform, but divergent: flushed and fetched again
  std::uint64_t convergences = 0;           ///< cuops

  FrontCounts& operator+=(const FrontCounts& other) {
    instructions += other.instructions;
    thread_instructions += other.thread_instructions;
    branches += other.branches;
    divergent_branches += other.divergent_branches;
    predicted_divergent += other.predicted_divergent;
    branch_mispredictions += other.branch_mispredictions;
    missed_divergences += other.missed_divergences;
    convergences += other.convergences;
    return *this;
  }
};

}  // namespace warpfork::ooo
