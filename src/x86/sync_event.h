// Marks in a recorded thread's stream where it met other threads.
#pragma once

#include <cstdint>
#include <string>

namespace warpfork::x86 {

enum class SyncKind : std::uint8_t {
  ThreadStart,   ///< the first event of a thread, which only begins; object: the thread that created it
  ThreadCreate,  ///< pthread_create; object: the thread created
  ThreadJoin,    ///< pthread_join; object: the thread joined
  Barrier,       ///< pthread_barrier_wait and the barriers of OpenMP
  Lock,          ///< pthread_mutex_lock, omp_set_lock, the entry of a critical section; a try that failed is none
  Unlock,
  ConditionWait,  ///< within it, Unlock and Lock of the mutex
  ConditionSignal,
  ConditionBroadcast,
  Region,      ///< GOMP_parallel in the thread that opens the region
  RegionBody,  ///< main._omp_fn.N in each thread of the region
};

/// A call of a synchronising function begins or ends. Events of one call lie around its instructions; what it calls in
/// turn has none, but for ConditionWait, Region and RegionBody. `sequence` orders the events of all threads as they
/// were recorded: a call that waits for others ends after they began theirs, and who gets a lock got it after its
/// owner's Unlock began.
struct SyncEvent {
  SyncKind kind = SyncKind::ThreadStart;
  bool leaves = false;       ///< false: the call begins; true: it has returned
  std::uint64_t object = 0;  ///< address of the barrier, lock or condition variable; else as told at the kind, or 0
  std::uint64_t sequence = 0;
  bool tries = false;  ///< the call would have returned without the lock, or the thread, that it has now
};

/// "end of barrier 4c8120", "begin of create of thread 3"
std::string describe(const SyncEvent& event);

}  // namespace warpfork::x86
