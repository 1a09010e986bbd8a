// What becomes of a branch once its outcome is known, and recovery where it was predicted wrongly (SIMT-X 3.7.2).
#pragma once

#include <cstdint>

#include "ooo/instruction_window.h"
#include "ooo/speculative_paths.h"
#include "ooo/warp_replay.h"

namespace warpfork::ooo {

/// What must be flushed when it is known where the lanes go: nothing, what is younger, or the branch, too.
enum class Flush : std::uint8_t { Nothing, Younger, WithBranch };

/// Of one warp. After a resolve() that asks for a flush, what it names is undone, youngest first, and restart() lets
/// fetch go on on the right path.
class BranchResolution {
 public:
  BranchResolution(InstructionWindow& window, SpeculativePaths& paths, WarpReplay& replay)
      : window_(window), paths_(paths), replay_(replay) {}

  /// Whether the masks that a branch or cuop computes with are known.
  bool may_resolve(std::uint64_t number) const;
  Flush resolve(std::uint64_t number);
  /// Takes the youngest instruction back.
  void undo();
  void restart();
  /// Flushes for a divergence that was not predicted.
  std::uint64_t missed_divergences() const { return missed_divergences_; }

 private:
  Flush resolve_uniform(const Fetched& branch) const;
  void resolve_divergence(Fetched& branch);
  void follow_alternate(Fetched& branch, PathId alternate, LaneMask lanes);

  InstructionWindow& window_;
  SpeculativePaths& paths_;
  WarpReplay& replay_;
  std::uint64_t restart_ = 0;  // the branch of the last flush
  PathId restart_path_ = kNoPath;
  Flush flush_ = Flush::Nothing;
  std::uint64_t missed_divergences_ = 0;
};

}  // namespace warpfork::ooo
