// Runs a sweep's jobs as array tasks of Slurm, many jobs to a task: empty tasks start at some 20 a second only.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "process/deferred_signals.h"
#include "sweep/engine.h"
#include "sweep/slurm/slurm_array.h"
#include "sweep/slurm/slurm_client.h"

namespace warpfork::sweep {

struct SlurmOptions {
  std::filesystem::path folder;               // of the arrays, for every node to see
  std::string warpfork;                       // the program, likewise
  std::size_t chunk = 0;                      // jobs of a task; 0 = so many that there are at most 200 tasks
  unsigned at_a_time = 1;                     // of a task's jobs, on a processor each
  std::uint64_t memory_bytes = 0;             // of a task; 0 = what its jobs are expected to need, and a quarter more
  std::vector<std::string> arguments;         // for sbatch, after ours
  std::chrono::milliseconds ask_every{5000};  // its controller: it has others to answer
};

/// What it knows stands in the folder, and it takes up what another sweep left there: jobs that are under way are
/// waited for, not submitted again. Jobs may be run twice, where Slurm runs a task again, and are told once. A
/// controller that does not answer is asked again. When it goes its tasks go on, unless it is cancelled.
class SlurmEngine final : public Engine {
 public:
  /// `bytes_of`: the memory that a job of that number is expected to need.
  SlurmEngine(SlurmOptions options, std::function<std::uint64_t(std::size_t)> bytes_of,
              const process::DeferredSignals& signals);

  /// Throws Error if Slurm takes none of them and nothing is under way.
  void submit(std::vector<Job> jobs) override;
  std::vector<JobEnd> wait(std::chrono::milliseconds time) override;
  /// All that is under way from this folder. Waits a while for what runs to end.
  void cancel() override;
  /// When all jobs have ended nothing stays under way: what is not among them is cancelled.
  void settle() override;
  std::string remark() const override;

 private:
  using Clock = std::chrono::steady_clock;

  std::set<std::string> under_way() const;
  std::string send();
  std::size_t chunk_of(std::size_t jobs) const;
  std::vector<std::string> script_options(const std::vector<const Job*>& jobs) const;
  std::vector<JobEnd> look();
  void ask(std::vector<JobEnd>& ends);
  void lose(SlurmArray& array, std::size_t index, std::vector<JobEnd>& ends);
  std::vector<std::string> names() const;

  const SlurmOptions options_;
  const std::function<std::uint64_t(std::size_t)> bytes_of_;
  SlurmClient client_;
  std::vector<SlurmArray> arrays_;
  std::map<std::string, Job> jobs_;  // that have not ended, by key
  std::vector<std::string> unsent_;  // keys of those that Slurm has yet to take
  Clock::time_point next_look_, next_ask_;
  std::string complaint_;                  // of Slurm
  std::size_t running_ = 0, waiting_ = 0;  // tasks
};

}  // namespace warpfork::sweep
