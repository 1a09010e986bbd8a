// Work that was done in a process of its own: what it is asked to do, and what it came to.
#pragma once

#include <filesystem>

#include "report/json.h"
#include "simulation/work.h"

namespace warpfork::simulation {

/// Leaves in `file` what do_work() needs of the options.
void write_work_options(const std::filesystem::path& file, const WorkOptions& options);
/// Throws Error if the file is not there, Json::exception if it is anything else.
WorkOptions read_work_options(const std::filesystem::path& file);

/// Does the work, a program's output captured, and leaves in `file` what it came to, or why it failed; nobody finds
/// half of it there. Whether it came to something.
bool do_work_into(const std::filesystem::path& file, const WorkOptions& options, const MechanismChoice& mechanisms);

/// What do_work_into() left. Throws Error with the reason why it failed, and if the file is not there.
Work read_work(const std::filesystem::path& file);

}  // namespace warpfork::simulation
