// Which warps have come to a branch already: the WCnt of the block-wide stack (CAPRI Figures 3 and 6), by warp.
#pragma once

#include <algorithm>
#include <array>
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

/// Of each branch the latest turn in which each warp has been there. A warp's turn is how often it has jumped back, so
/// that in a loop a warp that is behind is not taken for one that has been there.
class BranchVisits {
 public:
  void clear() {
    branches_.clear();
    visits_.clear();
  }
  /// The warp comes to the branch.
  void add(Pc branch, unsigned turn, WarpId warp) {
    unsigned& turns = of(branch)[warp];
    turns = std::max(turns, turn + 1);
  }
  /// Those of the warps that have been there neither in this turn nor in a later one.
  WarpSet missing(Pc branch, unsigned turn, WarpSet warps) const {
    const auto found = std::find(branches_.begin(), branches_.end(), branch);
    if (found == branches_.end()) return warps;
    const Visits& visits = visits_[static_cast<std::size_t>(found - branches_.begin())];
    WarpSet missing;
    warps.for_each([&](WarpId warp) {
      if (visits[warp] <= turn) missing |= WarpSet::single(warp);
    });
    return missing;
  }

 private:
  /// By warp: one more than the turn, 0 = it has not been there.
  using Visits = std::array<unsigned, kMaxWarpsPerBlock>;

  Visits& of(Pc branch) {
    const auto found = std::find(branches_.begin(), branches_.end(), branch);
    const auto index = static_cast<std::size_t>(found - branches_.begin());
    if (found == branches_.end()) {
      branches_.push_back(branch);
      visits_.emplace_back();
    }
    return visits_[index];
  }

  std::vector<Pc> branches_;
  std::vector<Visits> visits_;  // likewise
};

}  // namespace warpfork
