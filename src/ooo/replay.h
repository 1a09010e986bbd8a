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
  /// Lanes that these need: so many of them ran at once, from their start to when another had joined them.
  unsigned contexts() const { return contexts_; }
  std::uint64_t instructions() const { return instructions_; }
  /// Instructions that are left out: of loops in which a thread only waited for another (SpinLoopFilter).
  std::uint64_t spinning() const { return spinning_; }

  /// Threads begin in the order of their creation, each as soon as it has been created and a lane is free: in the
  /// lowest that is, a warp's lanes first. A thread that ends frees its lane. Throws Error if the machine has fewer
  /// lanes than contexts(), and when nobody can go on: with each thread's place.
  ReplayResult run(const CoreRecipe& core, const MachineSpec& machine, const Progress& progress,
                   std::span<CoreListener* const> listeners = {}) const;

 private:
  void note(unsigned thread, const x86::SyncEvent& event);
  unsigned contexts_needed() const;

  const x86::Recording& recording_;
  std::vector<unsigned> threads_;                // numbers in the recording
  std::vector<std::uint64_t> started_, joined_;  // by thread of the recording: sequence numbers
  unsigned contexts_ = 0;
  std::uint64_t instructions_ = 0, spinning_ = 0;
  std::vector<std::vector<x86::SyncEvent>> last_events_;  // by thread of the recording: behind its last instruction
  ReplayedSynchronisation synchronisation_;               // before the first event
};

}  // namespace warpfork::ooo
