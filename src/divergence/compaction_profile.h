// What a rehearsal of a launch has shown about compaction at its branches: the knowledge of CAPRI's oracle
// (docs/adr/0015).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// Threads of one home warp that diverged together, each having executed the branch so often.
struct ProfiledDivergence {
  Pc branch = 0;
  std::uint32_t executions = 0;
  ActiveMask lanes;
  std::uint8_t home = 0;
  bool waited = false;
  bool in_vain = false;   // it waited, and as many warps were needed as before
  bool paid = false;      // fewer were needed, or would have been, had all that diverged there waited
  bool given_up = false;  // shall not wait, whatever might pay: it has waited in vain once

  bool should_wait() const { return paid && !given_up; }
  bool mistaken() const { return waited ? in_vain : should_wait(); }
};

/// Entries by block of the grid. A thread is known by its block, home warp and lane, and a divergence by the branch and
/// how often the thread has executed it: whatever warps the threads form, and wherever the block runs.
class CompactionProfile {
 public:
  explicit CompactionProfile(std::uint64_t blocks) : entries_(blocks) {}

  std::uint64_t blocks() const { return entries_.size(); }
  std::vector<ProfiledDivergence>& of_block(std::uint64_t block) { return entries_[block]; }
  const std::vector<ProfiledDivergence>& of_block(std::uint64_t block) const { return entries_[block]; }

  /// All is known: from now on it may be looked up.
  void complete();
  /// Needs complete(). The entries of these threads after so many executions of the branch; their lanes may be more or
  /// fewer than those asked for.
  std::span<const ProfiledDivergence> find(std::uint64_t block, Pc branch, WarpId home, std::uint32_t executions) const;
  /// Warps that waited in vain shall not do so again.
  void give_up();
  std::uint64_t mistakes() const;

 private:
  std::vector<std::vector<ProfiledDivergence>> entries_;
};

/// What the oracle of a launch knows, and what it is to find out; null = nothing. A warp of which nothing is known
/// waits.
struct Foresight {
  const CompactionProfile* known = nullptr;
  CompactionProfile* learnt = nullptr;
};

}  // namespace warpfork
