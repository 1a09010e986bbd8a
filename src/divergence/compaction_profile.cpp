#include "divergence/compaction_profile.h"

#include <algorithm>
#include <tuple>

namespace warpfork {

namespace {

using Key = std::tuple<Pc, WarpId, std::uint32_t>;

Key key_of(const ProfiledDivergence& entry) { return {entry.branch, entry.home, entry.executions}; }

}  // namespace

void CompactionProfile::complete() {
  for (std::vector<ProfiledDivergence>& block : entries_) std::ranges::stable_sort(block, {}, key_of);
}

std::span<const ProfiledDivergence> CompactionProfile::find(std::uint64_t block, Pc branch, WarpId home,
                                                            std::uint32_t executions) const {
  const std::vector<ProfiledDivergence>& entries = entries_[block];
  const Key key{branch, home, executions};
  return {std::ranges::lower_bound(entries, key, {}, key_of), std::ranges::upper_bound(entries, key, {}, key_of)};
}

void CompactionProfile::give_up() {
  for (std::vector<ProfiledDivergence>& block : entries_)
    for (ProfiledDivergence& entry : block) entry.given_up |= entry.in_vain;
}

std::uint64_t CompactionProfile::mistakes() const {
  std::uint64_t count = 0;
  for (const std::vector<ProfiledDivergence>& block : entries_)
    count += static_cast<std::uint64_t>(std::ranges::count_if(block, &ProfiledDivergence::mistaken));
  return count;
}

}  // namespace warpfork
