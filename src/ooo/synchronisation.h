// Whether a recorded thread may go past a point where it met others.
#pragma once

#include "x86/sync_event.h"

namespace warpfork::ooo {

/// Recorded code is replayed, but synchronisation is executed: who waits for whom follows from this run's order.
class Synchronisation {
 public:
  virtual ~Synchronisation() = default;
  /// The thread, which has committed all that comes before, is at this event. True: it goes past it, now and for good;
  /// false: it waits, and asks again.
  virtual bool passes(unsigned thread, const x86::SyncEvent& event) = 0;
  /// The thread has committed its last instruction.
  virtual void ended(unsigned thread) = 0;
};

}  // namespace warpfork::ooo
