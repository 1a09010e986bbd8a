#include "unit/ooo/recorded_events.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/error.h"

namespace warpfork::ooo {

using x86::SyncEvent;
using x86::SyncKind;

bool Judge::may_pass(unsigned thread, const SyncEvent& event) const {
  if (event.kind == SyncKind::Lock && event.leaves) return !owners_.contains(event.object);
  if (event.kind == SyncKind::Unlock && !event.leaves)
    return owners_.contains(event.object) && owners_.at(event.object) == thread;
  if (event.kind != SyncKind::Barrier || !event.leaves) return true;
  const auto left = left_.find({event.object, thread});
  const unsigned times = left == left_.end() ? 0 : left->second;
  return come_.at(event.object) >= (times + 1) * threads_;
}

bool Judge::pass(unsigned thread, const SyncEvent& event) {
  const bool may = may_pass(thread, event);
  if (event.kind == SyncKind::Lock && event.leaves) owners_[event.object] = thread;
  if (event.kind == SyncKind::Unlock && !event.leaves) owners_.erase(event.object);
  if (event.kind == SyncKind::Barrier && !event.leaves) ++come_[event.object];
  if (event.kind == SyncKind::Barrier && event.leaves) ++left_[{event.object, thread}];
  return may;
}

void record_events(std::vector<std::vector<SpmdProgram::Step>>& threads, unsigned seed) {
  std::mt19937 random(seed);
  Judge judge(static_cast<unsigned>(threads.size()));
  std::vector<std::vector<SyncEvent*>> left(threads.size());
  std::size_t events = 0;
  for (std::size_t thread = 0; thread < threads.size(); ++thread)
    for (SpmdProgram::Step& step : threads[thread])
      for (SyncEvent& event : step.events) left[thread].insert(left[thread].begin(), &event), ++events;
  for (std::uint64_t sequence = 1; sequence <= events; ++sequence) {
    std::vector<unsigned> able;
    for (unsigned thread = 0; thread < threads.size(); ++thread)
      if (!left[thread].empty() && judge.may_pass(thread, *left[thread].back())) able.push_back(thread);
    check(!able.empty(), [] { return "the program has a deadlock"; });
    const unsigned thread = able[random() % able.size()];
    judge.pass(thread, *left[thread].back());
    left[thread].back()->sequence = sequence;
    left[thread].pop_back();
  }
}

void leave_stretches_out(std::vector<std::vector<SpmdProgram::Step>>& threads, unsigned seed) {
  std::mt19937 random(seed);
  for (std::vector<SpmdProgram::Step>& steps : threads) {
    const auto eventful =
        std::find_if(steps.rbegin(), steps.rend(), [](const auto& step) { return !step.events.empty(); });
    const auto needed = static_cast<std::size_t>(steps.rend() - eventful);  // steps up to the last with an event
    const std::size_t end = std::max<std::size_t>(1, needed + random() % (steps.size() - needed + 1));
    std::vector<SpmdProgram::Step> kept;
    std::vector<SyncEvent> events;
    bool keeps = random() % 2 != 0;
    for (std::size_t number = 0; number < end; ++number) {
      if (random() % 6 == 0) keeps = !keeps;
      events.insert(events.end(), steps[number].events.begin(), steps[number].events.end());
      if (!keeps && number + 1 != end) {
        if (!kept.empty()) kept.back().before_gap = true;
        continue;
      }
      if (!kept.empty()) kept.back().next_pc = steps[number].instruction->pc;
      kept.push_back(std::move(steps[number]));
      kept.back().events = std::exchange(events, {});
    }
    kept.back().next_pc = 0;
    kept.back().before_gap = false;
    steps = std::move(kept);
  }
}

Events events_of(const std::vector<std::vector<SpmdProgram::Step>>& threads) {
  Events events;
  for (const auto& steps : threads) {
    events.emplace_back();
    for (const SpmdProgram::Step& step : steps)
      events.back().insert(events.back().end(), step.events.begin(), step.events.end());
  }
  return events;
}

JudgedSynchronisation::JudgedSynchronisation(const Events& threads, unsigned barrier_size) : judge_(barrier_size) {
  for (unsigned thread = 0; thread < threads.size(); ++thread)
    for (const SyncEvent& event : threads[thread]) replayed_.add(thread, event);
  replayed_.finish();
}

bool JudgedSynchronisation::passes(unsigned thread, const SyncEvent& event) {
  if (!replayed_.passes(thread, event)) return false;
  ++passed_;
  faults_ += !judge_.pass(thread, event);
  return true;
}

}  // namespace warpfork::ooo
