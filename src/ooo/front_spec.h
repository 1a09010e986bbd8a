// What a core asks of the front end of its warps.
#pragma once

#include <cstdint>

namespace warpfork::ooo {

struct FrontSpec {
  unsigned warps = 2;  ///< of the core
  unsigned path_entries = 8;
  unsigned queue = 32;   ///< µops between fetch and rename
  unsigned depth = 6;    ///< cycles from fetch to rename
  bool in_uops = false;  ///< what the width of fetch counts; else instructions
  /// Which branches become buops: none (one thread a warp, as in an SMT core), those that the predictor says diverge,
  /// or all (an in-order core loses nothing by it, since it has no renamed state to go back to).
  enum class Divergence : std::uint8_t { Never, Predicted, Always } divergence = Divergence::Predicted;
};

}  // namespace warpfork::ooo
