// The front end of one warp: what it fetches, along paths that it predicts (SIMT-X 3.3 to 3.7).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/types.h"
#include "ooo/branch_prediction_unit.h"
#include "ooo/branch_resolution.h"
#include "ooo/front_counts.h"
#include "ooo/front_spec.h"
#include "ooo/instruction_window.h"
#include "ooo/speculative_paths.h"
#include "ooo/warp_replay.h"
#include "x86/code.h"

namespace warpfork::ooo {

/// Follows the recorded threads: a path's prediction is the hardware's, but which lanes really take it is known, since
/// the recording tells. A path that no lane takes is a wrong one: it is fetched from the program's text as long as that
/// is known.
///
/// What is fetched is numbered on. Every instruction leaves by commit(), in order, or is undone, youngest first.
class WarpFront {
 public:
  /// `threads`: the recorded threads of the lanes; the first is lane `first_lane` of the core.
  WarpFront(const FrontSpec& spec, std::span<ThreadWindow> threads, unsigned first_lane, const x86::Code& code,
            Predictors& predictors, Synchronisation& synchronisation);
  WarpFront(const WarpFront&) = delete;

  /// Fetches up to `width` instructions or µops of one path. Returns how many. An instruction of more µops is fetched
  /// alone. Where threads are to begin in lanes of others that have ended, nothing is fetched before all in flight has
  /// committed: their registers are loaded then.
  unsigned fetch(Cycle now, unsigned width) {
    begun_ = 0;
    const bool may_fetch = (!finished() || replay_.arriving() != 0) && window_.has_room(1);
    // Else nothing is fetched, but paths wake and take turns.
    return may_fetch || paths_.any_wakes_or_turns(now) ? fetch_next(now, width) : 0;
  }
  /// Lanes in which threads began in the last fetch().
  LaneMask begun() const { return begun_; }
  /// Events that threads have gone past: others may wait for that, though nothing is fetched.
  std::uint64_t events() const { return replay_.events(); }

  /// What is in flight, oldest first.
  const InstructionWindow& in_flight() const { return window_; }
  /// The oldest instruction of the fetch buffer leaves it.
  void take() { window_.take(); }

  /// Branches, by the number of what is in flight; and recovery.
  BranchResolution& resolution() { return resolution_; }
  const BranchResolution& resolution() const { return resolution_; }
  /// The oldest instruction is done with.
  void commit();

  PathTable& paths() { return paths_.table(); }
  const PathTable& paths() const { return paths_.table(); }
  /// All threads have committed their last instruction.
  bool finished() const { return replay_.running() == 0; }
  /// Nothing can be fetched before another thread has done something.
  bool waits_for_others() const { return paths_.all_wait(); }
  FrontCounts counts() const;
  /// Both path tables, and where each thread is.
  std::string describe() const { return paths_.describe() + replay_.describe(); }

 private:
  enum class Step : std::uint8_t { Nothing, GoOn, Last };  // nothing was fetched; go on; the path's last in this cycle

  void start(LaneMask lanes);
  unsigned fetch_next(Cycle now, unsigned width);
  unsigned fetch_from(PathId& path, Cycle now, unsigned width);
  unsigned next_uops(PathId path);
  Step fetch_one(PathId& path, Cycle now);
  // Not in the way of what most instructions take:
  [[gnu::noinline]] Step fetch_wrong(PathId path, Cycle now);
  [[gnu::noinline]] Step fetch_branch(PathId& path, const ExecutedByLane& recorded, bool uniform, Cycle now);
  [[gnu::noinline]] Step fetch_end(PathId path);
  [[gnu::noinline]] Step wait_or_part(PathId& path, LaneMask ready, Cycle now);
  [[gnu::noinline]] PathId converge(PathId path, Cycle now);
  void enter(PathId path, LaneMask lanes, const x86::StaticInstruction* instruction, Role role, Cycle now);
  BranchRecord& record(PathId path);

  FrontSpec spec_;
  WarpReplay replay_;
  const x86::Code& code_;
  BranchPredictionUnit prediction_;
  SpeculativePaths paths_;
  InstructionWindow window_;
  BranchResolution resolution_;
  LaneMask begun_ = 0;
  FrontCounts counts_;
};

}  // namespace warpfork::ooo
