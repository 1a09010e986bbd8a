// What became of the jobs of a task that is no more before all of them had ended.
#pragma once

#include <string>

#include "sweep/failure.h"
#include "sweep/slurm/slurm_array.h"

namespace warpfork::sweep {

/// Why such a job has no end of its own; `output`: the end of what the task had to say. A task whose end Slurm does not
/// tell has been cancelled if it had not begun: of one that waits no trace is left.
Failure failure_of_task(const SlurmArray::Task& task, const std::string& output);

/// Whether this job, which has not ended, fails for that; the others are run by another task. Each loss ends or fails
/// at least one job, so that there is an end to it: if the task had ended some, it was not at fault with the first of
/// the others; else those that it had begun are, or all if it had begun none. But all fail that somebody has cancelled,
/// and none where Slurm never had the task (`was_accepted`), or no node could start it: Slurm gives such a node no
/// more.
bool fails_with_task(const SlurmArray::Task& task, const std::string& key, bool was_accepted);

}  // namespace warpfork::sweep
