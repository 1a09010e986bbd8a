#include "divergence/meeting_record.h"

#include <algorithm>
#include <tuple>

namespace warpfork {

namespace {

using Key = std::tuple<Pc, WarpId, std::uint32_t>;

Key key_of(const MeetingEntry& entry) { return {entry.branch, entry.home, entry.executions}; }

}  // namespace

void MeetingRecord::complete() {
  for (std::vector<MeetingEntry>& block : entries_) std::ranges::stable_sort(block, {}, key_of);
}

std::span<const MeetingEntry> MeetingRecord::find(std::uint64_t block, Pc branch, WarpId home,
                                                  std::uint32_t executions) const {
  const std::vector<MeetingEntry>& entries = entries_[block];
  const Key key{branch, home, executions};
  return {std::ranges::lower_bound(entries, key, {}, key_of), std::ranges::upper_bound(entries, key, {}, key_of)};
}

void MeetingRecord::give_up() {
  for (std::vector<MeetingEntry>& block : entries_)
    for (MeetingEntry& entry : block) entry.given_up |= entry.in_vain;
}

std::uint64_t MeetingRecord::mistakes() const {
  std::uint64_t count = 0;
  for (const std::vector<MeetingEntry>& block : entries_)
    count += static_cast<std::uint64_t>(std::ranges::count_if(block, &MeetingEntry::mistaken));
  return count;
}

}  // namespace warpfork
