#include "ooo/replayed_synchronisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace warpfork::ooo {

using x86::SyncEvent;
using x86::SyncKind;

/// Locks are for whoever comes first, so that nothing need be known of them but when a wait for a condition asks for
/// its mutex again. They are not kept: a program may have one for every hundred instructions.
void ReplayedSynchronisation::add(unsigned thread, const SyncEvent& event) {
  if (event.kind == SyncKind::ConditionWait) {
    if (event.leaves)
      in_wait_.erase(thread);
    else
      in_wait_.insert(thread);
  }
  if (event.kind == SyncKind::Unlock) return;
  if (event.kind == SyncKind::Lock && (event.leaves || in_wait_.erase(thread) == 0)) return;
  recorded_.push_back({event, thread});
}

void ReplayedSynchronisation::finish() {
  episodes_.emplace_back();  // of leaves whose call began before the recording: nobody is waited for
  std::ranges::sort(recorded_, {}, [](const Recorded& recorded) { return recorded.event.sequence; });
  std::map<std::uint64_t, std::vector<const Recorded*>> barriers;
  std::map<std::uint64_t, std::uint64_t> signals;
  std::map<unsigned, std::uint64_t> waiting;  // by thread: the condition that it waits for
  std::uint64_t regions = 0;
  for (const Recorded& recorded : recorded_) {
    const SyncEvent& event = recorded.event;
    switch (event.kind) {
      case SyncKind::Barrier:
        barriers[event.object].push_back(&recorded);
        break;
      case SyncKind::ConditionSignal:
      case SyncKind::ConditionBroadcast:
      case SyncKind::ConditionWait:
      case SyncKind::Lock:
        note_condition(recorded, signals, waiting);
        break;
      case SyncKind::Region:
        regions += !event.leaves;
        break;
      case SyncKind::RegionBody:
        if (!event.leaves) facts_.push_back({event.sequence, regions});
        break;
      case SyncKind::ThreadCreate:
        if (event.object != 0) to_be_created_.insert(event.object);
        break;
      default:
        break;
    }
  }
  for (auto& [object, events] : barriers) group_barrier(object, events);
  std::ranges::sort(facts_, {}, &Fact::sequence);
  recorded_ = {};
}

/// Who waits has been woken up when it asks for its mutex again, or else when its wait ends. It must not get the mutex
/// before: who is to wake it may need that first.
void ReplayedSynchronisation::note_condition(const Recorded& recorded, std::map<std::uint64_t, std::uint64_t>& signals,
                                             std::map<unsigned, std::uint64_t>& waiting) {
  const SyncEvent& event = recorded.event;
  if (event.kind == SyncKind::ConditionSignal || event.kind == SyncKind::ConditionBroadcast) {
    signals[event.object] += !event.leaves;
    return;
  }
  if (event.kind == SyncKind::ConditionWait && !event.leaves) {
    waiting[recorded.thread] = event.object;
    return;
  }
  const auto wait = waiting.find(recorded.thread);
  if (wait == waiting.end()) return;
  facts_.push_back({event.sequence, signals[wait->second], wait->second});
  waiting.erase(wait);
}

/// When the first thread leaves a barrier, all who have come to it and not left it make one episode.
void ReplayedSynchronisation::group_barrier(std::uint64_t object, std::span<const Recorded*> events) {
  std::vector<const Recorded*> waiting;
  std::map<unsigned, std::uint64_t> leaving;  // by thread: the episode that it has not left yet
  for (const Recorded* const recorded : events) {
    const SyncEvent& event = recorded->event;
    if (!event.leaves) {
      waiting.push_back(recorded);
      continue;
    }
    if (!leaving.contains(recorded->thread)) {
      for (const Recorded* const come : waiting) {
        facts_.push_back({come->event.sequence, episodes_.size()});
        leaving[come->thread] = episodes_.size();
      }
      episodes_.push_back({object, static_cast<unsigned>(waiting.size()), 0});
      waiting.clear();
    }
    const auto episode = leaving.find(recorded->thread);
    if (episode == leaving.end()) continue;  // the recording began within the call
    facts_.push_back({event.sequence, episode->second});
    leaving.erase(episode);
  }
  for (const Recorded* const come : waiting) {  // the recording ended before they left
    facts_.push_back({come->event.sequence, episodes_.size()});
  }
  episodes_.push_back({object, static_cast<unsigned>(waiting.size()), 0});
}

const ReplayedSynchronisation::Fact& ReplayedSynchronisation::fact(const SyncEvent& event) const {
  static constexpr Fact kNone;
  const auto found = std::ranges::lower_bound(facts_, event.sequence, {}, &Fact::sequence);
  return found != facts_.end() && found->sequence == event.sequence ? *found : kNone;
}

bool ReplayedSynchronisation::passes(unsigned thread, const SyncEvent& event) {
  switch (event.kind) {
    case SyncKind::ThreadStart:
      return may_start(thread);
    case SyncKind::ThreadCreate:
      created_.insert(event.object);  // by the leave, where the enter did not know yet which thread it would be
      return true;
    case SyncKind::ThreadJoin:
      return !event.leaves || event.object == 0 || ended_.contains(event.object);
    case SyncKind::Barrier: {
      Episode& episode = episodes_[fact(event).value];
      if (event.leaves) return episode.come >= episode.size;
      ++episode.come;
      return true;
    }
    case SyncKind::Lock:
      return event.leaves ? take(thread, event) : signalled(event);
    case SyncKind::Unlock:
      if (!event.leaves) release(thread, event.object);
      return true;
    case SyncKind::ConditionWait:  // gives its lock up and takes it again by events of their own
      return !event.leaves || signalled(event);
    case SyncKind::ConditionSignal:
    case SyncKind::ConditionBroadcast:
      signals_[event.object] += !event.leaves;
      return true;
    case SyncKind::Region:
      regions_ += !event.leaves;
      return true;
    case SyncKind::RegionBody:
      return event.leaves || regions_ >= fact(event).value;
  }
  return true;
}

void ReplayedSynchronisation::ended(unsigned thread) {
  ended_.insert(thread);
  for (const std::uint64_t lock : held_[thread]) locks_[lock].held = false;
  held_.erase(thread);
  wanted_.erase(thread);
}

/// Whether a wait for a condition, if the event is within one, may end.
bool ReplayedSynchronisation::signalled(const SyncEvent& event) const {
  const Fact& needed = fact(event);
  const auto given = signals_.find(needed.condition);
  return needed.value == 0 || (given != signals_.end() && given->second >= needed.value);
}

bool ReplayedSynchronisation::take(unsigned thread, const SyncEvent& event) {
  const std::uint64_t lock = event.object;
  Lock& wanted = locks_[lock];
  if (wanted.held && wanted.owner != thread) {  // a recursive one is its owner's already
    wanted_[thread] = {lock, event.tries};
    if (!waits_for_itself(thread)) return false;
    std::erase(held_[wanted.owner], lock);
  }
  wanted_.erase(thread);
  wanted = {true, thread};
  held_[thread].push_back(lock);
  return true;
}

/// Whether who has the lock that the thread waits for waits in turn for one that the thread has, or for who does so,
/// and one of them tries.
bool ReplayedSynchronisation::waits_for_itself(unsigned thread) const {
  unsigned last = thread;
  bool tries = false;
  for (std::size_t steps = 0; steps < wanted_.size(); ++steps) {
    const auto waits = wanted_.find(last);
    if (waits == wanted_.end()) return false;
    const Lock& lock = locks_.at(waits->second.lock);
    if (!lock.held) return false;
    tries |= waits->second.tries;
    last = lock.owner;
    if (last == thread) return tries;
  }
  return false;  // others do, without it
}

void ReplayedSynchronisation::release(unsigned thread, std::uint64_t lock) {
  std::vector<std::uint64_t>& held = held_[thread];
  const auto found = std::find(held.rbegin(), held.rend(), lock);
  if (found == held.rend()) return;  // taken before the recording began
  held.erase(std::next(found).base());
  if (std::ranges::find(held, lock) == held.end()) locks_[lock].held = false;
}

std::string ReplayedSynchronisation::describe() const {
  std::string text;
  for (const auto& [object, lock] : locks_)
    if (lock.held) text += fmt::format("thread {} holds lock {:x}\n", lock.owner, object);
  for (const Episode& episode : episodes_)
    if (episode.come != 0 && episode.come < episode.size)
      text += fmt::format("barrier {:x}: {} of {} threads have come\n", episode.object, episode.come, episode.size);
  return text;
}

}  // namespace warpfork::ooo
