// Lists of µops by age: what may issue, and what is done in the same cycle.
#pragma once

#include <cstdint>

#include "ooo/uop_in_flight.h"

namespace warpfork::ooo {

/// Puts the µop where its age belongs among uops[first] … uops[last], of which the last place is free. Most come in the
/// order of their age.
template <class Uops>
void place_by_age(Uops& uops, std::uint64_t first, std::uint64_t last, const UopId& uop) {
  for (; last != first && uops[last - 1].order > uop.order; --last) uops[last] = uops[last - 1];
  uops[last] = uop;
}

}  // namespace warpfork::ooo
