// Which warps have come to a branch already: the WCnt of the block-wide stack (CAPRI Figures 3 and 6), by warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "divergence/warp_split.h"

namespace warpfork {

/// Small numbers for the branches of a program, in the order in which they are met.
class BranchNumbers {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  /// kNone if the branch has not been met.
  std::uint32_t find(Pc branch) const { return branch < numbers_.size() ? numbers_[branch] : kNone; }
  std::uint32_t of(Pc branch) {
    if (branch >= numbers_.size()) numbers_.resize(branch + 1, kNone);
    std::uint32_t& number = numbers_[branch];
    if (number == kNone) number = count_++;
    return number;
  }

 private:
  std::vector<std::uint32_t> numbers_;  // by pc
  std::uint32_t count_ = 0;
};

/// Of each branch the warps of one frame that have been there in the latest turn in which any has. A warp's turn is how
/// often it has jumped back, so that in a loop a warp that is behind is not taken for one that has been there.
class BranchVisits {
 public:
  explicit BranchVisits(BranchNumbers& numbers) : numbers_(&numbers) {}

  void clear() { std::fill(visits_.begin(), visits_.end(), Visit{}); }
  WarpSet of(Pc branch) const {
    const std::uint32_t number = numbers_->find(branch);
    return number < visits_.size() ? visits_[number].warps : WarpSet();
  }

  /// A warp comes to the branch, where nobody waits.
  void come(Pc branch, unsigned turn) {
    Visit& visit = at(branch);
    if (turn > visit.turn) visit = {turn, {}};
  }
  /// It has been there, unless it is behind.
  void add(Pc branch, unsigned turn, WarpId warp) {
    Visit& visit = at(branch);
    if (turn >= visit.turn) visit.warps |= WarpSet::lane(warp);
  }
  /// Whatever their turn, these need not be waited for.
  void add(Pc branch, WarpSet warps) { at(branch).warps |= warps; }

 private:
  struct Visit {
    unsigned turn = 0;
    WarpSet warps;
  };

  Visit& at(Pc branch) {
    const std::uint32_t number = numbers_->of(branch);
    if (number >= visits_.size()) visits_.resize(number + 1);
    return visits_[number];
  }

  BranchNumbers* numbers_;
  std::vector<Visit> visits_;  // by number
};

}  // namespace warpfork
