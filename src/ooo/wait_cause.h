// Why a µop was in the issue queue.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpfork::ooo {

/// What came last of all that the µop waited for.
enum class WaitCause : std::uint8_t {
  Nothing,
  Operand,  ///< a value
  Mask,     ///< of the path that a merge selects by, or of those that a buop or cuop is about
  Store,    ///< an older one that a load may not go before
  Unit,     ///< a functional unit, or its place among those that issue in a cycle
  Turn,     ///< an atomic operation or system call waits to be the oldest of its warp
};
inline constexpr std::array<std::string_view, 6> kWaitCauseNames = {"nothing",     "operand", "mask",
                                                                    "older store", "unit",    "turn"};

}  // namespace warpfork::ooo
