// A recording of what threads do with each other, made by running their events in a random order as locks and barriers
// allow; and a judge of another run of them.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "ooo/replayed_synchronisation.h"
#include "unit/ooo/spmd_program.h"

namespace warpfork::ooo {

/// Locks that are not recursive and barriers of so many threads, as they are, in whatever order the threads come.
class Judge {
 public:
  explicit Judge(unsigned threads) : threads_(threads) {}

  bool may_pass(unsigned thread, const x86::SyncEvent& event) const;
  /// It has passed. False if it could not.
  bool pass(unsigned thread, const x86::SyncEvent& event);
  bool anything_is_held() const { return !owners_.empty(); }

 private:
  unsigned threads_;
  std::map<std::uint64_t, unsigned> owners_;                     // of locks that are held
  std::map<std::uint64_t, unsigned> come_;                       // to a barrier, ever
  std::map<std::pair<std::uint64_t, unsigned>, unsigned> left_;  // a barrier, by thread
};

/// Numbers the events of the threads' steps in an order that is possible.
void record_events(std::vector<std::vector<SpmdProgram::Step>>& threads, unsigned seed);

/// Leaves stretches of each thread's steps out, as a recording of some functions alone does: events stay, before the
/// next step that is left. Every thread keeps a step, and all events.
void leave_stretches_out(std::vector<std::vector<SpmdProgram::Step>>& threads, unsigned seed);

/// By thread: what it meets others at.
using Events = std::vector<std::vector<x86::SyncEvent>>;
Events events_of(const std::vector<std::vector<SpmdProgram::Step>>& threads);

/// What is replayed, checked by a judge.
class JudgedSynchronisation final : public Synchronisation {
 public:
  /// Barriers are of so many of the threads.
  JudgedSynchronisation(const Events& threads, unsigned barrier_size);

  bool passes(unsigned thread, const x86::SyncEvent& event) override;
  void ended(unsigned thread) override { replayed_.ended(thread); }
  unsigned faults() const { return faults_; }
  std::uint64_t passed() const { return passed_; }
  const Judge& judge() const { return judge_; }

 private:
  ReplayedSynchronisation replayed_;
  Judge judge_;
  unsigned faults_ = 0;
  std::uint64_t passed_ = 0;
};

}  // namespace warpfork::ooo
