// Who may use the entries of the reorder buffer.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/choice.h"

namespace warpfork::ooo {

/// SIMT-X gives the number of entries alone (Table I).
enum class BufferSharing : std::uint8_t {
  Shared,       ///< whoever comes first
  Partitioned,  ///< each warp its equal part
};

inline constexpr std::array kBufferSharings{
    Choice{"shared", "all warps use the same entries", BufferSharing::Shared},
    Choice{"partitioned", "each warp has its equal part of them", BufferSharing::Partitioned},
};

}  // namespace warpfork::ooo
