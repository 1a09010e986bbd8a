// What a task of an array does on the node that Slurm gave it.
#pragma once

#include <filesystem>

#include "process/deferred_signals.h"

namespace warpfork::sweep {

/// The index in its array of the task that this process is in. Throws Error if Slurm did not start it.
std::size_t slurm_task_index();

/// Runs the task's jobs, so many at a time, and keeps its journal. Passes over what has ended when Slurm ran the task
/// before and what has its result, and stops when the array's folder is no more. Returns the exit status: 0, or 1 if a
/// signal ended it.
int run_slurm_task(const std::filesystem::path& array, std::size_t index, unsigned at_a_time,
                   const process::DeferredSignals& signals);

}  // namespace warpfork::sweep
