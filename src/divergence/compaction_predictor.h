// The compaction adequacy prediction table, CAPT (CAPRI section II-C).
#pragma once

#include <string_view>
#include <vector>

#include "base/types.h"

namespace warpfork {

/// Says for a branch whether warps that diverge there should wait for each other. One bit a branch, the outcome of the
/// latest compaction; a branch without an entry is adequate.
class CompactionPredictor {
 public:
  /// `policy`: "latest" as in the paper, or "always" or "never", its bounds, or "oracle", which without a rehearsal is
  /// "always" (CompactionOracle). `entries`: size of the table, which is indexed by the branch pc without its lowest
  /// `index_shift` bits, modulo the size, and holds the pc as a tag: a newcomer displaces the old entry. 0 = one entry
  /// for every branch, without a shift. Throws Error for an unknown policy and for a shift that leaves nothing of a pc.
  CompactionPredictor(std::string_view policy, unsigned entries, unsigned index_shift = 0);

  bool adequate(Pc branch) const;
  /// What a compaction has shown: whether it needed fewer warps than there were.
  void update(Pc branch, bool adequate);

 private:
  enum class Policy { Latest, Always, Never };
  struct Entry {
    Pc branch = kNoPc;
    bool adequate = true;
  };

  static Policy find_policy(std::string_view name);
  std::size_t index(Pc branch) const { return (branch >> shift_) % table_.size(); }

  Policy policy_;
  bool unlimited_;
  unsigned shift_;
  std::vector<Entry> table_;
};

}  // namespace warpfork
