// One point, run in a process of its own.
#pragma once

#include <filesystem>
#include <string>

#include "process/child_process.h"
#include "report/json.h"
#include "sweep/identity.h"
#include "sweep/result_folder.h"

namespace warpfork::sweep {

/// The command that runs the point in the present folder and leaves its result, or why there is none, in `results`.
process::ChildCommand command_of(const IdentifiedPoint& point, const ResultFolder& results);

/// What the point's processes write for people.
std::filesystem::path log_of(const IdentifiedPoint& point, const ResultFolder& results);

/// What that command does. `request` as in IdentifiedPoint. Returns its exit status: 0 with a result, 1 with a failure.
int run_point(const std::string& id, const report::Json& request, const ResultFolder& results);

}  // namespace warpfork::sweep
