// What the checks have found, as text.
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// Of all launches together; 0 where nobody looked.
std::size_t finding_count(std::span<const LaunchRecord> launches);

/// Empty where nobody looked.
///
/// Printed sample:
///   races
///     1. sum, shared memory at 0x200, 128 times
///        write   race.cu:6    block (0,0,0) thread (128,0,0)
///        read    race.cu:9    block (0,0,0) thread (0,0,0)
///   reads of what nobody had written
///     1. sum, global memory at 0xc0000104, 32 times
///        read    sum.cu:7     block (0,0,0) thread (1,0,0)
///        'cudaMalloc #0', 256 bytes: byte 4
std::string finding_text(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report
