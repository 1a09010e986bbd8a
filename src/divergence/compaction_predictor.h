// The compaction adequacy prediction table, CAPT (CAPRI section II-C).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace warpfork {

/// Says for a branch whether warps that diverge there should wait for each other. One bit a branch, the outcome of the
/// latest compaction; a branch without an entry is adequate.
class CompactionPredictor {
 public:
  enum class Policy { Latest, Always, Never };

  /// `policy`: "latest" as in the paper, or "always" or "never", its bounds, or "oracle", which without a rehearsal is
  /// "always" (CompactionOracle). `entries`: size of the table, which is indexed by the branch pc without its lowest
  /// `index_shift` bits, modulo the size, and holds the pc as a tag: a newcomer displaces the old entry. 0 = one entry
  /// for every branch, without a shift. Throws Error for an unknown policy and for a shift that leaves nothing of a pc.
  CompactionPredictor(std::string_view policy, unsigned entries, unsigned index_shift = 0);

  bool adequate(Pc branch) const;
  /// What a compaction has shown: whether it needed fewer warps than there were.
  void update(Pc branch, bool adequate);

 private:
  struct Entry {
    Pc branch = kNoPc;
    bool adequate = true;
  };

  std::size_t index(Pc branch) const { return (branch >> shift_) % table_.size(); }

  Policy policy_;
  bool unlimited_;
  unsigned shift_;
  std::vector<Entry> table_;
};

struct PredictorPolicy {
  std::string_view name;
  CompactionPredictor::Policy policy;
  /// Of a machine description, those that only some policies use: its own. The shift needs a table of some entries,
  /// too.
  std::span<const std::string_view> keys = {};

  bool uses(std::string_view key) const;
};

/// All policies, in the order in which they are listed to the user.
std::span<const PredictorPolicy> predictor_policies();
/// Throws Error with the known names if there is none of that name.
const PredictorPolicy& find_predictor_policy(std::string_view name);

}  // namespace warpfork
