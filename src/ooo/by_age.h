// Lists of µops by age: what may issue, and what is done in the same cycle.
#pragma once

#include <cstddef>
#include <vector>

#include "ooo/uop_in_flight.h"

namespace warpfork::ooo {

/// Most come in the order of their age.
inline void insert_by_age(std::vector<UopId>& uops, const UopId& uop) {
  uops.push_back(uop);
  std::size_t place = uops.size() - 1;
  for (; place != 0 && uops[place - 1].order > uop.order; --place) uops[place] = uops[place - 1];
  uops[place] = uop;
}

}  // namespace warpfork::ooo
