// Whether two runs of the same work left the same behind: a mechanism may change the time, never the result.
#pragma once

#include <string>

#include "process/outcome.h"

namespace warpfork::simulation {

/// Throws Error naming the second mechanism and the first place where its standard output, exit status or a buffer
/// differs. Where kernels printed (CUDA orders none of it between threads) lines may come in another order.
///
/// Printed sample:
///   buffer 'out' differs at byte 64: 0x07 under 'pdom', 0x05 under 'multi-path'
void require_same_output(const std::string& first_name, const process::Outcome& first, const std::string& second_name,
                         const process::Outcome& second);

}  // namespace warpfork::simulation
