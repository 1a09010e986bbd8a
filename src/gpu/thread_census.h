// What a core's threads and splits do, counted (MULTIPATH Figures 4, 13 and 14).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/block_slots.h"
#include "gpu/instruction_buffers.h"
#include "gpu/lane_room.h"
#include "gpu/timed_count.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Threads that want to issue are counted by the state of their instruction buffer entries; the census adds those that
/// have none. What it is told holds from the cycle of the buffers' clock on.
class ThreadCensus {
 public:
  /// Of a core of so many warps, with this number.
  ThreadCensus(unsigned core, unsigned warps, const BlockSlots& blocks, const InstructionBuffers& buffers)
      : core_(core), blocks_(blocks), buffers_(buffers), splits_(warps) {}

  /// A kernel begins, with up to `blocks` blocks at a time; the listener hears of the splits that warps had.
  void begin_kernel(unsigned threads_per_block, unsigned blocks, report::LaunchListener& listener);

  /// The block has started, or threads of it have exited, come to a barrier or left one.
  void count_block(unsigned slot);
  /// The warp's splits are others from now on, so many of them without an instruction buffer entry: tells how long it
  /// had those before.
  void count_splits(unsigned warp, unsigned without_entry);
  /// Threads that find their unit's entry taken in this cycle: the only state that changes without one of the entries.
  void count_busy_units(const LaneRoom& room) {
    if (!room.for_all()) count_waits(room);
  }
  /// So many cycles in which nothing could issue: who was ready found its unit's entry taken.
  void count_sleep(Cycle cycles) {
    for (const EntryState ready : kReadyStates) waits_ += buffers_.threads(ready).count() * cycles;
  }

  /// Since the kernel began, as the schedulers saw the threads up to the last cycle.
  report::ThreadCycles thread_cycles() const;
  /// Tells how long warps have had their splits so far.
  void tell_splits();
  /// The kernel has ended or is cut off: tells of its threads and of the use that they made of their warps' tables.
  void report() const;

 private:
  /// Of a block slot, as counted in the sums.
  struct Counted {
    unsigned running = 0, live = 0, waiting = 0;
  };
  /// The splits that a warp has had since a cycle.
  struct WarpSplits {
    bool alive = false;
    Cycle since = 0;
    unsigned live = 0, without_buffer = 0;
    unsigned count = 0;
    std::array<std::uint8_t, kMaxWarpSize> threads;  // of each
  };

  void count_waits(const LaneRoom& room);
  void tell_splits(unsigned warp);

  unsigned core_;
  const BlockSlots& blocks_;
  const InstructionBuffers& buffers_;
  report::LaunchListener* listener_ = nullptr;
  unsigned threads_per_block_ = 0;
  std::vector<Counted> counted_;    // by block slot
  TimedCount running_;              // threads of blocks that have not finished
  TimedCount live_, waiting_;       // of these; those that wait at barriers
  Cycle waits_ = 0;                 // thread-cycles in which the unit's entry was taken
  std::vector<WarpSplits> splits_;  // by warp slot
};

}  // namespace warpfork::gpu
