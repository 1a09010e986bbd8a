// Slurm's commands sbatch, squeue, scancel and, where there is accounting, sacct (their manual pages; Slurm 22.05).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process/captured_run.h"
#include "process/deferred_signals.h"

namespace warpfork::sweep {

/// States ("RUNNING", "NODE_FAIL") of tasks, by the name of their array and their index in it.
using SlurmTaskStates = std::map<std::pair<std::string, std::size_t>, std::string>;

/// Ours for a task that Slurm holds back as it could not be started: no user can have it go on.
inline constexpr std::string_view kLaunchFailed = "LAUNCH_FAILED";

/// Of lines as "NAME|INDEX|STATE|REASON"; others are passed over.
SlurmTaskStates parse_task_states(std::string_view lines);

/// Whether a task in that state has still to run, or to end. What is not known has.
bool is_under_way(std::string_view state);

/// Arrays are named by what nobody else's is called: a name holds even if we die before we learn the job's number. The
/// controller may be away for a while; what is asked then is answered by its complaint, never by a guess.
class SlurmClient {
 public:
  explicit SlurmClient(const process::DeferredSignals& signals) : signals_(signals) {}

  /// Gives `script` to sbatch as an array of `tasks` tasks, to be run in the present folder; task K writes what it has
  /// to say to `folder`/K.out, and the job's number goes to `folder`/job. Returns why that could not be; empty = it is.
  std::string submit(const std::string& name, std::size_t tasks, const std::filesystem::path& script,
                     const std::filesystem::path& folder);

  /// The tasks of ours that Slurm knows; it forgets those that ended some minutes ago. Nothing if it does not answer:
  /// complaint() says what it said instead.
  std::optional<SlurmTaskStates> task_states(const std::vector<std::string>& names);
  const std::string& complaint() const { return complaint_; }

  /// How a task ended that squeue knows no more; empty where nobody keeps accounts.
  std::string recorded_state(const std::string& job, std::size_t index);

  /// Cancels a task of the job of that number, if it can be.
  void cancel_task(const std::string& job, std::size_t index);
  /// Cancels the array, or those of its tasks that do not run yet. Returns why that could not be; empty = it is.
  std::string cancel(const std::string& name, bool only_waiting);

 private:
  process::CapturedRun run(const std::string& program, std::vector<std::string> arguments);

  const process::DeferredSignals& signals_;
  std::string complaint_;
};

}  // namespace warpfork::sweep
