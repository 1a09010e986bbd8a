// Which warpfork this is.
#pragma once

#include <string>

#include "report/result_document.h"

namespace warpfork::process {

/// Version and commit as result documents name them.
report::Tool tool();

/// "warpfork 0.1.0 (commit 0123456789ab)"
std::string version_text();

}  // namespace warpfork::process
