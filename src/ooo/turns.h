// The order in which the warps of a core are served in a cycle.
#pragma once

#include "base/types.h"
#include "ooo/remainder.h"

namespace warpfork::ooo {

/// Calls visit(index) for each of so many, beginning with the next one every cycle, until it returns false.
template <class Visit>
void visit_in_turn(unsigned count, Cycle now, Visit&& visit) {
  unsigned index = static_cast<unsigned>(remainder(now, count));
  for (unsigned i = 0; i < count; ++i) {
    if (!visit(index)) return;
    if (++index == count) index = 0;
  }
}

}  // namespace warpfork::ooo
