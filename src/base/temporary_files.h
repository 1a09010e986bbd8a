// What every message says where a temporary file cannot be written, whichever room writes it.
#pragma once

namespace warpfork {

/// A line of its own, behind the cause.
inline constexpr const char* kTemporaryRemedy =
    "\n  set TMPDIR to a folder for temporary files that may be written and has room";

}  // namespace warpfork
