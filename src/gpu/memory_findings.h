// What the memory check of a launch has found, as its record says it.
#pragma once

#include "report/finding.h"
#include "simt/launch.h"
#include "simt/memory_check.h"

namespace warpfork::gpu {

void add_memory_findings(const simt::MemoryCheck& check, const simt::Launch& launch, report::Findings& findings);

}  // namespace warpfork::gpu
