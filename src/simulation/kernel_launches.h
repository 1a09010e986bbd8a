// The launches of some of a program's kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/launch_record.h"

namespace warpfork::simulation {

/// Those of `launches` whose kernels the regular expression matches; empty = all. Throws Error
/// if it matches none, so that a name that was mistyped does not pass for kernels in which nothing took time; `option`
/// is what the message calls the expression.
std::vector<report::LaunchRecord> launches_of_kernels(const std::vector<report::LaunchRecord>& launches,
                                                      const std::string& kernels, std::string_view option);

/// Throws Error if a program with so many launches has none in the range that --launches gives.
void require_launch(std::size_t launches, const std::string& range);

}  // namespace warpfork::simulation
