// The Path Scheduling Table of one warp with its convergence detector (SIMT-X 3.4 and 3.6): which path to fetch from.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "base/types.h"
#include "ooo/paths/path_table.h"

namespace warpfork::ooo {

struct ScheduledPath {
  PathId path = kNoPath;
  bool waits = false;       ///< at a barrier, for a lock: not to be fetched from, and does not converge
  std::uint32_t depth = 0;  ///< calls minus returns
  std::uint64_t pc = 0;     ///< of the next instruction
};

/// At most one entry per lane, since the paths of a warp are disjoint. A value: the retirement copy is another one,
/// told of the same events as they commit, and `front = retired` recovers.
///
/// pick() is RR/MinSP-PC: deepest call first, then lowest pc, then oldest entry; but every (threads a warp + 1) × warps
/// cycles the paths take turns, so that threads which spin do not starve the one that they wait for.
///
/// describe(), Figure 3(b) once the buop has executed:
///   path  pc    depth
///   h1    1010  0
///   h2    1020  0
class PathSchedulingTable {
 public:
  PathSchedulingTable(unsigned threads, unsigned warps) : turn_every_((threads + 1) * warps), next_turn_(turn_every_) {
    index_.fill(kNowhere);
  }

  void add(PathId path, std::uint64_t pc, std::uint32_t depth);
  void remove(PathId path);
  /// The path goes on under a new name (a branch predicted divergent).
  void renew(PathId from, PathId to);
  /// The first's entry goes on as the created path, the second's is removed.
  void converge(const Convergence& convergence);
  /// Removes the paths that have no lanes left.
  void drop_nullified(const PathTable& paths);

  /// The path to fetch from in this cycle; kNoPath if all wait. Takes a turn if one is due.
  PathId pick(Cycle cycle) {
    if (count_ == 1 && !turn_is_due(cycle)) return entries_[0].waits ? kNoPath : entries_[0].path;
    return pick_among(cycle);
  }
  bool turn_is_due(Cycle cycle) const { return cycle >= next_turn_; }
  /// The convergence detector: another path with the same pc and call depth, neither waiting; or kNoPath.
  PathId convergent_with(PathId path) const {
    if (!holds(path)) return kNoPath;
    const ScheduledPath& one = entries_[index_[path]];
    if (one.waits) return kNoPath;
    for (const ScheduledPath& other : paths())
      if (&other != &one && other.pc == one.pc && other.depth == one.depth && !other.waits) return other.path;
    return kNoPath;
  }

  bool holds(PathId path) const { return index_[path] != kNowhere; }
  ScheduledPath& at(PathId path) { return entries_[index_of(path)]; }
  std::span<const ScheduledPath> paths() const { return {entries_.data(), count_}; }
  std::string describe() const;

 private:
  static constexpr std::uint8_t kNowhere = 255;

  unsigned index_of(PathId path) const {
    check(holds(path), [&] { return fmt::format("h{} is not scheduled:\n{}", path, describe()); });
    return index_[path];
  }
  PathId pick_among(Cycle cycle);
  void remove_at(unsigned index);

  std::array<ScheduledPath, kMaxLanes> entries_{};
  std::array<std::uint8_t, 256> index_;  // by path: its entry
  unsigned count_ = 0;
  unsigned turn_ = 0;  // the entry whose turn is next
  Cycle turn_every_, next_turn_;
};

}  // namespace warpfork::ooo
