// The oracle among CAPRI's predictors: knows from a rehearsal whether a wait will pay (docs/adr/0015).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divergence/branch_visits.h"
#include "divergence/compaction_profile.h"

namespace warpfork {

/// The part of one thread block at a time: counts what its threads execute, answers for its warps from what is known,
/// and notes what comes of it in what is learnt.
///
/// A warp waits if at least as many of its threads are known to gain by it as not to. All say the same unless the warps
/// of the rehearsal were others; a warp of which nothing is known waits.
class CompactionOracle {
 public:
  /// One warp at one divergence. Refers to its entries in what is learnt.
  struct Decision {
    bool wait = true;
    std::uint32_t first = 0, count = 0;
  };

  explicit CompactionOracle(Foresight foresight) : foresight_(foresight) {}

  /// Of so many warps.
  void start_block(std::uint64_t block, std::size_t warps);
  /// These threads execute the branch.
  void execute(Pc branch, std::span<const HomeLanes> threads);
  /// They have just executed it, as one warp, and diverge.
  Decision decide(Pc branch, std::span<const HomeLanes> threads);
  /// The warp waited, and this came of it.
  void met(const Decision& decision, bool paid);
  /// This would have come of a wait of all that diverged there, whether it waited or not.
  void might_have_met(const Decision& decision, bool paid);

 private:
  /// Threads that should wait, or not; of these, those that have given up.
  struct Votes {
    unsigned wait = 0, pass = 0, given_up = 0;

    Votes& operator+=(const Votes& other) {
      wait += other.wait, pass += other.pass, given_up += other.given_up;
      return *this;
    }
  };

  ProfiledDivergence alike(Pc branch, const HomeLanes& threads);
  Votes ask(const ProfiledDivergence& entry) const;
  std::span<ProfiledDivergence> entries_of(const Decision& decision);
  std::uint32_t& executions(Pc branch, WarpId home, unsigned lane) {
    return executions_[(numbers_.of(branch) * warps_ + home) * kMaxWarpSize + lane];
  }

  Foresight foresight_;
  std::uint64_t block_ = 0;
  std::size_t warps_ = 0;
  BranchNumbers numbers_;
  std::vector<std::uint32_t> executions_;  // by number of the branch and thread
};

}  // namespace warpfork
