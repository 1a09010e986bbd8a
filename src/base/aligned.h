// Multiples of a unit.
#pragma once

#include <cstdint>

namespace warpfork {

/// The first multiple of `unit`, which is not 0, that is no less than the value.
constexpr std::uint64_t aligned(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace warpfork
