// Whether a recorded thread may go past a point where it met others, and who comes in the place of one that has ended.
#pragma once

#include <memory>

#include "ooo/paths/lane_mask.h"
#include "x86/instruction_stream.h"
#include "x86/sync_event.h"

namespace warpfork::ooo {

/// Recorded code is replayed, but synchronisation is executed: who waits for whom follows from this run's order.
/// Threads are known by their lane, of all lanes of the core.
class Synchronisation {
 public:
  virtual ~Synchronisation() = default;
  /// The thread, which has committed all that comes before, is at this event. True: it goes past it, now and for good;
  /// false: it waits, and asks again.
  virtual bool passes(unsigned thread, const x86::SyncEvent& event) = 0;
  /// The thread has committed its last instruction.
  virtual void ended(unsigned thread) = 0;
  /// Of these lanes those, the first being bit 0, in which a new thread is to begin. No virtual call, as each warp asks
  /// in each cycle.
  LaneMask arriving(unsigned first, unsigned lanes) const { return arriving_ >> first & first_lanes(lanes); }
  /// What the recording calls the thread that runs in the lane.
  virtual unsigned recorded_thread(unsigned lane) const { return lane; }
  /// The new thread begins in the lane, in which none runs. Only for one that is arriving.
  virtual std::unique_ptr<x86::InstructionStream> begin(unsigned /*lane*/) { return nullptr; }

 protected:
  LaneMask arriving_ = 0;  // of all lanes
};

}  // namespace warpfork::ooo
