// Barriers, locks, condition variables, thread creation and OpenMP regions as constraints on a replay.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ooo/synchronisation.h"

namespace warpfork::ooo {

/// Who has to wait for whom is read off the whole recording first: a barrier is passed when as many threads have come
/// as had when it was recorded; a wait for a condition ends, and asks for its mutex again, when as many signals have
/// been given as were before it did so; a thread starts when it has been created, a region's body when the region has
/// been opened. Locks are free for whoever comes first: the order in which threads get them is this run's, not the
/// recorded one. Threads that tried a lock, and would have given others back had it been taken (std::lock), may so come
/// to wait for each other: then the last to come gets its lock from the one that has it. Where none of them tried, they
/// wait for ever, as the program might have.
class ReplayedSynchronisation final : public Synchronisation {
 public:
  /// An event of a thread; all events of the recording are to be told, each thread's in its order, before finish().
  void add(unsigned thread, const x86::SyncEvent& event);
  void finish();

  /// Whether the thread has been created, if the recording knows of that.
  bool may_start(unsigned thread) const { return !to_be_created_.contains(thread) || created_.contains(thread); }
  bool passes(unsigned thread, const x86::SyncEvent& event) override;
  /// What the thread still holds becomes free: its recording may end before it gave it back.
  void ended(unsigned thread) override;
  /// "thread 3 holds lock 4c80f0; barrier 4c8120: 3 of 4 threads have come": for a run in which nobody can go on.
  std::string describe() const;

 private:
  struct Recorded {
    x86::SyncEvent event;
    unsigned thread = 0;
  };
  struct Episode {  // of a barrier: from the first thread that comes to the last
    std::uint64_t object = 0;
    unsigned size = 0, come = 0;
  };
  struct Fact {  // what an event needs
    std::uint64_t sequence = 0;
    std::uint64_t value = 0;      // a barrier's episode; else how many signals, or regions, must have been
    std::uint64_t condition = 0;  // that the signals are of
  };
  struct Lock {
    bool held = false;
    unsigned owner = 0;
  };

  struct Wanted {
    std::uint64_t lock = 0;
    bool tries = false;
  };

  void note_condition(const Recorded& recorded, std::map<std::uint64_t, std::uint64_t>& signals,
                      std::map<unsigned, std::uint64_t>& waiting);
  void group_barrier(std::uint64_t object, std::span<const Recorded*> events);
  const Fact& fact(const x86::SyncEvent& event) const;
  bool signalled(const x86::SyncEvent& event) const;
  bool take(unsigned thread, const x86::SyncEvent& event);
  bool waits_for_itself(unsigned thread) const;
  void release(unsigned thread, std::uint64_t lock);

  std::vector<Recorded> recorded_;  // empty after finish()
  std::set<unsigned> in_wait_;      // threads told to wait for a condition, and not told yet to ask for its mutex again
  std::vector<Fact> facts_;         // by sequence
  std::vector<Episode> episodes_;
  std::map<std::uint64_t, Lock> locks_;
  std::map<unsigned, std::vector<std::uint64_t>> held_;  // by thread: its locks, latest last
  std::map<unsigned, Wanted> wanted_;                    // by thread: the lock that it waits for
  std::map<std::uint64_t, std::uint64_t> signals_;       // by condition variable
  std::uint64_t regions_ = 0;                            // opened
  std::set<std::uint64_t> to_be_created_, created_;      // threads
  std::set<std::uint64_t> ended_;
};

}  // namespace warpfork::ooo
