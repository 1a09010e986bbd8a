// Which of a program's launches a user means (--launches).
#pragma once

#include <cstdint>
#include <string_view>

namespace warpfork::report {

/// Launches are numbered from 1 on, in the order in which the program makes them.
struct LaunchRange {
  std::uint64_t first = 1, last = ~std::uint64_t{0};

  bool contains(std::uint64_t launch) const { return first <= launch && launch <= last; }
};

/// "3-7", "3-", "-7" or "3"; empty = all. Throws Error for anything else.
LaunchRange launch_range(std::string_view text);

}  // namespace warpfork::report
