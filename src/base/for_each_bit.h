// What a set of numbers below 64 holds, kept as a word: bit i = number i.
#pragma once

#include <bit>
#include <cstdint>

namespace warpfork {

/// Calls visit(number) for each number of the set, in ascending order.
template <class Visit>
void for_each_bit(std::uint64_t set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
}

}  // namespace warpfork
