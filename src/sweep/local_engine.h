// A pool of processes on this machine.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "process/deferred_signals.h"
#include "sweep/engine.h"

namespace warpfork::sweep {

struct LocalLimits {
  unsigned jobs = 1;
  std::uint64_t memory_bytes = 0;  // that all of them may need together
};

/// Starts the next job while fewer than `jobs` run and what these and it are expected to need is no more than
/// `memory_bytes`; one always runs.
class LocalEngine final : public Engine {
 public:
  /// `bytes_of`: the memory that a job of that number is expected to need; asked when it could be started.
  LocalEngine(const LocalLimits& limits, std::function<std::uint64_t(std::size_t)> bytes_of,
              const process::DeferredSignals& signals);
  ~LocalEngine() override;

  void submit(std::vector<Job> jobs) override;
  std::vector<JobEnd> wait(std::chrono::milliseconds time) override;
  void cancel() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number;
    pid_t process;
    int descriptor;  // of the process: readable when it has ended
    std::uint64_t bytes;
    Clock::time_point start;
  };

  void start_some();
  bool is_room_for(std::uint64_t bytes) const;
  bool await_end(std::chrono::milliseconds time) const;
  std::vector<JobEnd> reap();

  const LocalLimits limits_;
  const std::function<std::uint64_t(std::size_t)> bytes_of_;
  const process::DeferredSignals& signals_;
  std::deque<Job> waiting_;
  std::vector<Running> running_;
};

}  // namespace warpfork::sweep
