// How a launch is to be run.
#pragma once

#include <cstdint>
#include <functional>

#include "base/types.h"
#include "gpu/sample_plan.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Hears how far a launch is, often enough for people and seldom enough to cost nothing.
class LaunchProgress {
 public:
  virtual ~LaunchProgress() = default;
  /// Every few thousand cycles in which something happened, or (`cycles` = 0) after blocks of a functional run.
  virtual void advanced(Cycle cycles, std::uint64_t finished_blocks) = 0;
  /// The launch is rehearsed for the first, second, … time, or (0) this is the run; the count begins anew. Not called
  /// where launches are not rehearsed.
  virtual void rehearses(unsigned number) { (void)number; }
};

struct LaunchOptions {
  bool functional_only = false;
  Cycle max_cycles = 0;  // of one launch, 0 = no limit; warp instructions of one block's warps in a functional run
  std::uint64_t max_instructions = 0;  // warp instructions of one launch, 0 = no limit
  bool counts_activity = false;        // of a timed launch, for its energy
  bool counts_lines = false;           // what each instruction of a timed launch cost
  Cycle interval = 0;                  // a timed launch is counted in stretches of so many, 0 = it is not
  bool check_races = false;            // find accesses of a timed launch that nothing orders: slow
  bool check_memory = false;           // find what a launch reads and nobody has written: slow
  bool check_scalars = false;          // prove that scalar instructions are ones: slow
  SampleRequest sample = {};           // of a timed launch; empty = all blocks are simulated in detail
  unsigned threads = 1;                // of the host, for the cores of a timed launch; changes no result
  /// Called by each of several threads before it takes a core: tests yield there.
  std::function<void()> at_borders = {};
  LaunchProgress* progress = nullptr;          // null = nobody listens
  report::LaunchListener* listener = nullptr;  // of a timed launch, beside its statistics; null = nobody listens
  report::LaunchListener* trace = nullptr;     // likewise; while it listens a livelock is found all the same
};

}  // namespace warpfork::gpu
