// PTX to PTX: an entry as flat code can hold it. Whatever a Program has no form for is rewritten in PTX itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/module.h"

namespace warpfork::lower {

/// Of a thread's stack, if nobody says otherwise.
inline constexpr std::uint32_t kStackBytes = 16 << 10;

/// A kernel that is longer with a copy of a body for every call shares bodies (shared_functions.h).
inline constexpr std::size_t kMostCopied = 1 << 16;

/// What the passes must know of the machine that the code is for.
struct Lowering {
  bool (*is_system_call)(std::string_view function);  // calls of these are left: the system has their bodies
  std::uint32_t stack_bytes = kStackBytes;            // of a thread, for recursive functions
  std::size_t most_copied = kMostCopied;              // instructions to which calls are replaced by bodies
};

/// A copy of the entry without calls, other than of system calls with registers as arguments, without asynchronous
/// copies, barriers in memory and wmma, and without guards on barriers to wait at, that ends in `ret` if control could
/// run off its end. Throws Error for what cannot be rewritten.
ptx::Function lower(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering);

/// Whether some label stands at the very end, or the last instruction may fall through: there lower() adds a `ret`.
bool can_run_off_the_end(const ptx::Function& function);

}  // namespace warpfork::lower
