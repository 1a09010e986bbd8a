#include "divergence/compaction_oracle.h"

#include <algorithm>

namespace warpfork {

void CompactionOracle::start_block(std::uint64_t block, std::size_t warps) {
  block_ = block;
  warps_ = warps;
  std::fill(executions_.begin(), executions_.end(), 0);
}

void CompactionOracle::execute(Pc branch, std::span<const HomeLanes> threads) {
  const std::size_t needed = (numbers_.of(branch) + 1) * warps_ * kMaxWarpSize;
  if (executions_.size() < needed) executions_.resize(needed);
  for (const HomeLanes& home : threads)
    home.lanes.for_each([&](unsigned lane) { ++executions(branch, home.warp, lane); });
}

CompactionOracle::Decision CompactionOracle::decide(Pc branch, std::span<const HomeLanes> threads) {
  std::vector<ProfiledDivergence>* const learnt = foresight_.learnt ? &foresight_.learnt->of_block(block_) : nullptr;
  Decision decision;
  if (learnt) decision.first = static_cast<std::uint32_t>(learnt->size());
  Votes votes;
  for (const HomeLanes& home : threads)
    for (ActiveMask rest = home.lanes; rest.any();) {
      const ProfiledDivergence entry = alike(branch, {home.warp, rest});
      rest -= entry.lanes;
      votes += ask(entry);
      if (learnt) learnt->push_back(entry);
    }
  decision.wait = votes.wait >= votes.pass;
  if (!learnt) return decision;
  decision.count = static_cast<std::uint32_t>(learnt->size()) - decision.first;
  for (ProfiledDivergence& entry : entries_of(decision)) {
    entry.waited = decision.wait;
    entry.given_up = !decision.wait && votes.given_up > 0;
  }
  return decision;
}

/// An entry for those of the threads that have executed the branch as often as the first of them.
ProfiledDivergence CompactionOracle::alike(Pc branch, const HomeLanes& threads) {
  ProfiledDivergence entry;
  entry.branch = branch;
  entry.executions = executions(branch, threads.warp, threads.lanes.lowest());
  entry.home = static_cast<std::uint8_t>(threads.warp);
  threads.lanes.for_each([&](unsigned lane) {
    if (executions(branch, threads.warp, lane) == entry.executions) entry.lanes |= ActiveMask::single(lane);
  });
  return entry;
}

/// What is known of its threads.
CompactionOracle::Votes CompactionOracle::ask(const ProfiledDivergence& entry) const {
  Votes votes;
  if (!foresight_.known) return votes;
  for (const ProfiledDivergence& known : foresight_.known->find(block_, entry.branch, entry.home, entry.executions)) {
    const unsigned threads = (known.lanes & entry.lanes).count();
    (known.should_wait() ? votes.wait : votes.pass) += threads;
    if (known.given_up) votes.given_up += threads;
  }
  return votes;
}

void CompactionOracle::met(const Decision& decision, bool paid) {
  for (ProfiledDivergence& entry : entries_of(decision)) {
    entry.paid |= paid;
    entry.in_vain |= !paid;
  }
}

void CompactionOracle::might_have_met(const Decision& decision, bool paid) {
  for (ProfiledDivergence& entry : entries_of(decision)) entry.paid |= paid;
}

std::span<ProfiledDivergence> CompactionOracle::entries_of(const Decision& decision) {
  if (!foresight_.learnt) return {};
  return std::span(foresight_.learnt->of_block(block_)).subspan(decision.first, decision.count);
}

}  // namespace warpfork
