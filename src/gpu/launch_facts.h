// What a launch's record says of it before anything is counted, and the errors that both kinds of run report alike.
#pragma once

#include <string>

#include "base/error.h"
#include "divergence/registry.h"
#include "report/launch_record.h"
#include "simt/launch.h"

namespace warpfork::gpu {

/// Name, grid and block.
report::LaunchRecord launch_facts(const simt::Launch& launch);

/// Adds PTX lines and source places to the record's branches.
void name_branches(report::LaunchRecord& record, const simt::Program& program);

/// Nothing can ever become ready again under that mechanism. `state` names block, warp, split, PC and line of
/// everything that waits.
Error deadlock(const simt::Program& program, const DivergenceMechanism& mechanism, Cycle now, const std::string& state);
/// Likewise in a functional run of a block, after so many warp instructions.
Error deadlock_without_time(const simt::Program& program, const DivergenceMechanism& mechanism,
                            std::uint64_t instructions, const std::string& state);

/// Every thread that can go on runs in circles that change nothing. `state` as for a deadlock.
Error livelock(const simt::Program& program, const DivergenceMechanism& mechanism, Cycle now, const std::string& state);
/// Likewise in a functional run: so many blocks run, which are all that can run at a time. `holds_back`: some thread of
/// theirs goes on only when others of its warp have come to where it is.
Error livelock_without_time(const simt::Program& program, std::size_t blocks, bool holds_back,
                            const std::string& state);

/// What a launch has had as much of as it may.
struct ReachedLimit {
  std::uint64_t most = 0;
  const char* unit;
  const char* option;  // of the command line
};
/// A launch was cut off. `state` as for a deadlock.
std::string still_running(const simt::Program& program, const ReachedLimit& limit, const std::string& state);

}  // namespace warpfork::gpu
