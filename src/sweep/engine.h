// What runs the commands of a sweep's points: processes of this machine, or of others.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "process/child_process.h"

namespace warpfork::sweep {

struct Job {
  std::size_t number = 0;         // by which its end is told
  process::ChildCommand command;  // complete in itself: nothing else of the sweep's process is needed
};

struct JobEnd {
  std::size_t number = 0;
  process::ChildEnd end;
  double seconds = 0;            // it ran
  std::uint64_t peak_bytes = 0;  // of memory, of its largest process
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// Takes jobs, to be run in this order as there is room.
  virtual void submit(std::vector<Job> jobs) = 0;
  /// Those that have ended since; waits for one up to `time`. Throws Error if a job cannot be started.
  virtual std::vector<JobEnd> wait(std::chrono::milliseconds time) = 0;
  /// Ends those that run and forgets the others. Their ends are not told.
  virtual void cancel() = 0;
};

}  // namespace warpfork::sweep
