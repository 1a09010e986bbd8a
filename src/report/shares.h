// Parts of a whole in percent that add up to 100.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpfork::report {

/// Of each part, in tenths of a percent of their sum: rounded so that together they are 1000 (largest remainder, the
/// first of equals). All 0 if the sum is.
std::vector<std::uint64_t> tenths_of_percent(std::span<const std::uint64_t> parts);

}  // namespace warpfork::report
