// Where the lanes of one split go after a branch, one path per target: the input of every mechanism's divergence.
#pragma once

#include <array>
#include <span>
#include <string>

#include "base/error.h"
#include "divergence/warp_split.h"

namespace warpfork {

/// The paths given to advance(), in their order, those with equal targets joined: a branch whose sides have the same
/// target does not diverge. Checks that they are disjoint, not empty, and part of the split.
class DistinctPaths {
 public:
  DistinctPaths(std::span<const Path> given, const WarpSplit& split) {
    for (const Path& path : given) {
      check(path.lanes.any() && split.lanes.contains(path.lanes) && !lanes_.intersects(path.lanes), [&] {
        return fmt::format(
            "advance: path to pc {} with lanes {} is empty, overlaps another or leaves the split (pc {}, lanes {})",
            path.pc, path.lanes.to_string(), split.pc, split.lanes.to_string());
      });
      lanes_ |= path.lanes;
      add(path);
    }
  }

  bool diverge() const { return count_ > 1; }
  /// All lanes that go on.
  ActiveMask lanes() const { return lanes_; }
  std::span<const Path> paths() const { return {paths_.data(), count_}; }

 private:
  void add(const Path& path) {
    for (unsigned i = 0; i < count_; ++i)
      if (paths_[i].pc == path.pc) {
        paths_[i].lanes |= path.lanes;
        return;
      }
    paths_[count_++] = path;
  }

  union {  // so that not all are set to zero at every branch
    std::array<Path, kMaxWarpSize> paths_;
  };
  unsigned count_ = 0;
  ActiveMask lanes_;
};

}  // namespace warpfork
