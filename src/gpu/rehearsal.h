// A launch simulated ahead of itself in another process: how the oracle learns what will happen (docs/adr/0015).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "divergence/compaction_profile.h"

namespace warpfork::gpu {

/// Calls `simulate` with an empty record for so many blocks, in a copy of this process, and returns the record that it
/// has filled, complete; nothing if it ended with an exception. Whatever it changes (device memory, caches, open rows,
/// the order of schedulers) is unchanged here. Throws Error if the system allows no process.
std::optional<CompactionProfile> rehearse(std::uint64_t blocks,
                                          const std::function<void(CompactionProfile&)>& simulate);

}  // namespace warpfork::gpu
