// What values a number of a description may have.
#pragma once

#include <cstdint>

namespace warpfork {

/// From `least` to `most`, both included.
struct Range {
  std::uint64_t least = 0, most = ~std::uint64_t{0};
};

}  // namespace warpfork
