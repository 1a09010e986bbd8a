// What runs the commands of a sweep's points: processes of this machine, or of others.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "process/child_process.h"
#include "sweep/failure.h"

namespace warpfork::sweep {

struct Job {
  std::size_t number = 0;             // by which its end is told
  process::ChildCommand command;      // complete in itself: nothing else of the sweep's process is needed
  std::string key = {};               // by which another sweep of the same folder knows it
  std::filesystem::path result = {};  // where this file is the job need not run
};

struct JobEnd {
  std::size_t number = 0;
  process::ChildEnd end;
  double seconds = 0;                   // it ran
  std::uint64_t peak_bytes = 0;         // of memory, of its largest process; 0 = nobody knows, nor how long it ran
  std::optional<Failure> failure = {};  // why, where the process's end does not tell
};

/// After which those who wait for ends look for signals.
inline constexpr std::chrono::milliseconds kSignalWait{200};

class Engine {
 public:
  virtual ~Engine() = default;

  /// Takes jobs, to be run in this order as there is room.
  virtual void submit(std::vector<Job> jobs) = 0;
  /// Those that have ended since; waits for one up to `time`. Throws Error if a job cannot be started.
  virtual std::vector<JobEnd> wait(std::chrono::milliseconds time) = 0;
  /// Ends those that run and forgets the others. Their ends are not told. Throws Error if some may go on, and how.
  virtual void cancel() = 0;
  /// All ends that were told are noted: what was kept for another sweep to tell them may go.
  virtual void settle() {}
  /// What it is about, for people: "12 tasks run, 3 wait". Empty = there is nothing to say.
  virtual std::string remark() const { return ""; }
};

}  // namespace warpfork::sweep
