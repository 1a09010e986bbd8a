// Which threads of a warp go through a temporal lane side by side.
#pragma once

#include <bit>
#include <cstdint>

#include "base/active_mask.h"

namespace warpfork::gpu {

/// Those of group `number`, of so many neighbouring threads each.
inline ActiveMask group_threads(unsigned number, unsigned width) {
  const std::uint64_t first_group = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return ActiveMask(first_group << number * width);
}

/// Groups of so many neighbouring threads, a power of two.
class ThreadGroups {
 public:
  explicit ThreadGroups(unsigned width) : width_(width), shift_(static_cast<unsigned>(std::countr_zero(width))) {
    for (unsigned thread = 0; thread < kMaxWarpSize; thread += width) first_threads_ |= std::uint64_t{1} << thread;
  }

  /// How many hold any of these threads.
  unsigned count(ActiveMask threads) const { return static_cast<unsigned>(std::popcount(met_by(threads))); }
  /// Which: bit g = group g.
  std::uint64_t of(ActiveMask threads) const {
    if (width_ == 1) return threads.bits();
    std::uint64_t groups = 0;
    for (std::uint64_t rest = met_by(threads); rest != 0; rest &= rest - 1)
      groups |= std::uint64_t{1} << (std::countr_zero(rest) >> shift_);
    return groups;
  }

 private:
  /// The first threads of those groups.
  std::uint64_t met_by(ActiveMask threads) const {
    std::uint64_t met = threads.bits();
    for (unsigned by = 1; by != width_; by *= 2) met |= met >> by;
    return met & first_threads_;
  }

  unsigned width_, shift_;
  std::uint64_t first_threads_ = 0;
};

}  // namespace warpfork::gpu
