// How much memory processes that are started now may need together.
#pragma once

#include <cstdint>

namespace warpfork::sweep {

/// Bytes: nine tenths of what the system calls available, or of what our control group leaves if that is less.
std::uint64_t free_memory();

}  // namespace warpfork::sweep
