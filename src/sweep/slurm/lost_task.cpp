#include "sweep/slurm/lost_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sweep/slurm/slurm_client.h"

namespace warpfork::sweep {

namespace {

struct End {
  std::string_view state, cause, message;
};

// squeue(1), "JOB STATE CODES".
constexpr std::array<End, 10> kEnds = {{
    {"TIMEOUT", "time",
     "its Slurm task was out of time: give it more by --sbatch=--time=…, or fewer points by --chunk"},
    {"DEADLINE", "time", "its Slurm task came to its deadline"},
    {"OUT_OF_MEMORY", "memory", "its Slurm task was out of memory: give it more by --memory"},
    {"CANCELLED", "cancelled", "its Slurm task was cancelled"},
    {"REVOKED", "cancelled", "its Slurm task was revoked"},
    {"NODE_FAIL", "node", "the node that it ran on failed, and Slurm did not run it again"},
    {"BOOT_FAIL", "node", "the node that it was to run on did not boot"},
    {"PREEMPTED", "node", "its Slurm task was preempted, and Slurm did not run it again"},
    {"FAILED", "error", "its Slurm task failed"},
    {"COMPLETED", "error", "its Slurm task ended before it"},
}};

}  // namespace

Failure failure_of_task(const SlurmArray::Task& task, const std::string& output) {
  const auto* const end = std::ranges::find(kEnds, task.state, &End::state);
  if (end != kEnds.end()) return {std::string(end->cause), std::string(end->message), output};
  if (task.begun.empty()) return {"cancelled", "its Slurm task was cancelled while it waited, or lost", output};
  return {"node", "its Slurm task is no more, and nobody knows why", output};
}

bool fails_with_task(const SlurmArray::Task& task, const std::string& key, bool was_accepted) {
  if (task.state == "CANCELLED" || task.state == "REVOKED") return true;
  if (!task.ended.empty() || task.state == kLaunchFailed) return false;
  return task.begun.empty() ? was_accepted : task.begun.contains(key);
}

}  // namespace warpfork::sweep
