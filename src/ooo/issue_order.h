// In which order an in-order core issues.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/choice.h"

namespace warpfork::ooo {

/// What an instruction of the in-order core stays behind. SIMT-X says "in-order SIMT" of DITVA, and no more.
enum class IssueOrder : std::uint8_t {
  Thread,  ///< older instructions of its threads: paths do not wait for each other
  Warp,    ///< all older ones of its warp
};

inline constexpr std::array kIssueOrders{
    Choice{"thread", "an instruction stays behind the older ones of its threads", IssueOrder::Thread},
    Choice{"warp", "behind all older ones of its warp, those of other paths, too", IssueOrder::Warp},
};

}  // namespace warpfork::ooo
