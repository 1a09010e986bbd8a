// What a launch's record says of it before anything is counted, and the errors that both kinds of run report alike.
#pragma once

#include <string>

#include "base/error.h"
#include "report/launch_record.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Name, grid and block.
report::LaunchRecord launch_facts(const simt::Launch& launch);

/// Adds PTX lines and source places to the record's branches.
void name_branches(report::LaunchRecord& record, const simt::Program& program);

/// Nothing can ever become ready again. `state` names block, warp, split, PC and line of everything that waits.
Error deadlock(const simt::Program& program, Cycle now, const std::string& state);

}  // namespace warpfork::gpu
