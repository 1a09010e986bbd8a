// How much this machine does at a time.
#pragma once

#include <algorithm>
#include <thread>

namespace warpfork::process {

/// At least one, even where the system does not say.
inline unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace warpfork::process
