// Numbers from A to B, as options of the command line name them.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpfork {

struct NumberRange {
  std::uint64_t first = 0, last = ~std::uint64_t{0};

  bool contains(std::uint64_t number) const { return first <= number && number <= last; }
  bool operator==(const NumberRange&) const = default;
};

/// "3-7", "3-", "-7" or "3", both ends included; empty = all. `least`: the smallest number that there is. Throws Error,
/// with the option's name, for anything else.
NumberRange number_range(std::string_view option, std::string_view text, std::uint64_t least);

}  // namespace warpfork
