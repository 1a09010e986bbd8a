// A recording run on a core.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ooo/core_listener.h"
#include "ooo/cores.h"
#include "ooo/replayed_synchronisation.h"
#include "x86/recording.h"

namespace warpfork::ooo {

struct ReplayResult {
  MachineSpec machine;  ///< as the core adapted it
  CoreCounts counts;
};

class Replay {
 public:
  /// Told now and then how many instructions have been read, or have committed.
  using Progress = std::function<void(std::uint64_t instructions)>;

  /// Reads the recording once, for who waits for whom. The recording must outlive it.
  explicit Replay(const x86::Recording& recording, const Progress& progress = {});

  /// Threads that the recording has instructions of, and these instructions but for those left out.
  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }
  std::uint64_t instructions() const { return instructions_; }
  /// Instructions that are left out: of loops in which a thread only waited for another (SpinFreeStream).
  std::uint64_t spinning() const { return spinning_; }

  /// Threads go to the lanes in the order of their creation, a warp's lanes first. Throws Error if there are more of
  /// them than the machine has, and when nobody can go on: with each thread's place.
  ReplayResult run(const CoreRecipe& core, const MachineSpec& machine, const Progress& progress,
                   std::span<CoreListener* const> listeners = {}) const;

 private:
  const x86::Recording& recording_;
  std::vector<unsigned> threads_;  // numbers in the recording
  std::uint64_t instructions_ = 0, spinning_ = 0;
  std::vector<std::vector<x86::SyncEvent>> last_events_;  // by thread of the recording: behind its last instruction
  ReplayedSynchronisation synchronisation_;               // before the first event
};

}  // namespace warpfork::ooo
