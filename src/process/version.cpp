#include "process/version.h"

#include <fmt/format.h>

#include "warpfork_version.h"  // made by cmake/version.cmake

namespace warpfork::process {

report::Tool tool() { return {WARPFORK_VERSION, WARPFORK_COMMIT}; }

std::string version_text() { return fmt::format("warpfork {} (commit {})", tool().version, tool().commit); }

}  // namespace warpfork::process
