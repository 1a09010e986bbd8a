// Which threads of a warp go through a temporal lane side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/active_mask.h"

namespace warpfork::gpu {

/// Those of group `number`, of so many neighbouring threads each.
inline ActiveMask group_threads(unsigned number, unsigned width) {
  const std::uint64_t first_group = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return ActiveMask(first_group << number * width);
}

/// Groups of so many neighbouring threads, in warps that are made of whole ones.
class ThreadGroups {
 public:
  explicit ThreadGroups(unsigned width) : width_(width) {
    for (unsigned thread = 0; thread < kMaxWarpSize; thread += width) first_threads_ |= std::uint64_t{1} << thread;
    for (unsigned side_by_side = 1; width > 1 && side_by_side < kMaxWarpSize / width; side_by_side *= 2)
      moves_[move_count_++] = {side_by_side * (width - 1), runs_of(2 * side_by_side)};
  }

  /// How many hold any of these threads.
  unsigned count(ActiveMask threads) const { return static_cast<unsigned>(std::popcount(met_by(threads))); }
  /// Which: bit g = group g.
  std::uint64_t of(ActiveMask threads) const {
    std::uint64_t groups = met_by(threads);
    for (unsigned i = 0; i < move_count_; ++i) groups = (groups | groups >> moves_[i].by) & moves_[i].kept;
    return groups;
  }

 private:
  /// Bits of neighbouring groups, or runs of them, come to stand side by side.
  struct Move {
    unsigned by;
    std::uint64_t kept;
  };

  /// The first threads of those groups.
  std::uint64_t met_by(ActiveMask threads) const {
    std::uint64_t met = threads.bits();
    for (unsigned by, width = 1; width != width_; width += by) {
      by = std::min(width, width_ - width);
      met |= met >> by;
    }
    return met & first_threads_;
  }
  /// A run of so many bits for as many groups, from the first thread of the first of them on.
  std::uint64_t runs_of(unsigned count) const {
    std::uint64_t bits = 0;
    for (unsigned thread = 0; thread < kMaxWarpSize; thread += count * width_)
      bits |= ((std::uint64_t{1} << count) - 1) << thread;
    return bits;
  }

  unsigned width_;
  std::uint64_t first_threads_ = 0;
  std::array<Move, 6> moves_;
  unsigned move_count_ = 0;
};

}  // namespace warpfork::gpu
