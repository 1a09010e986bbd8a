// The front end of one warp: its paths, what they are predicted to do, and what has been fetched (SIMT-X 3.3 to 3.7).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/types.h"
#include "ooo/front_counts.h"
#include "ooo/front_spec.h"
#include "ooo/instruction_window.h"
#include "ooo/path_state.h"
#include "ooo/paths/path_scheduling_table.h"
#include "ooo/paths/path_table.h"
#include "ooo/predict/predictors.h"
#include "ooo/warp_replay.h"
#include "x86/code.h"

namespace warpfork::ooo {

/// Follows the recorded threads. The masks in the Pathtable are what the hardware knows; beside them it is kept which
/// lanes really take a path, since the recording tells. A path that no lane takes is a wrong one: it is fetched from
/// the program's text as long as that is known.
///
/// What is fetched is numbered on. Every instruction leaves by commit(), in order, or by undo(), youngest first.
class WarpFront {
 public:
  /// `threads`: the recorded threads of the lanes; the first is number `first_thread` of the recording.
  WarpFront(const FrontSpec& spec, std::span<ThreadWindow> threads, unsigned first_thread, const x86::Code& code,
            Predictors& predictors, Synchronisation& synchronisation);
  WarpFront(const WarpFront&) = delete;

  /// Fetches up to `width` instructions or µops of one path. Returns how many. An instruction of more µops is fetched
  /// alone. Where threads are to begin in lanes of others that have ended, nothing is fetched before all in flight has
  /// committed: their registers are loaded then.
  unsigned fetch(Cycle now, unsigned width);
  /// Lanes in which threads began in the last fetch().
  LaneMask begun() const { return begun_; }
  /// Events that threads have gone past: others may wait for that, though nothing is fetched.
  std::uint64_t events() const { return replay_.events(); }

  /// What is in flight, oldest first.
  const InstructionWindow& in_flight() const { return window_; }
  /// The oldest instruction of the fetch buffer leaves it.
  void take() { window_.take(); }

  /// Whether the masks that a branch or cuop computes with are known.
  bool may_resolve(std::uint64_t number) const;
  /// What must be flushed when it is known where the lanes go: nothing, what is younger, or the branch, too.
  enum class Flush : std::uint8_t { Nothing, Younger, WithBranch };
  Flush resolve(std::uint64_t number);
  /// Takes the youngest instruction back.
  void undo();
  /// After a flush that resolve() asked for: fetch goes on on the right path.
  void restart();
  /// The oldest instruction is done with.
  void commit();

  PathTable& paths() { return paths_; }
  const PathTable& paths() const { return paths_; }
  /// All threads have committed their last instruction.
  bool finished() const { return replay_.running() == 0; }
  /// Nothing can be fetched before another thread has done something.
  bool waits_for_others() const;
  const FrontCounts& counts() const { return counts_; }
  /// Both path tables, and where each thread is.
  std::string describe() const;

 private:
  enum class Step : std::uint8_t { Nothing, GoOn, Last };  // nothing was fetched; go on; the path's last in this cycle
  void start(LaneMask lanes);
  unsigned fetch_from(PathId& path, Cycle now, unsigned width);
  unsigned next_uops(PathId path);
  Step fetch_one(PathId& path, Cycle now);
  Step fetch_wrong(PathId path, Cycle now);
  Step fetch_branch(PathId& path, const ExecutedByLane& recorded, bool uniform, Cycle now);
  Step fetch_end(PathId path);
  void ask_waiting();
  Step wait_or_part(PathId& path, LaneMask ready, Cycle now);
  PathId converge(PathId path, Cycle now);
  bool becomes_buop(const x86::StaticInstruction& instruction, const PathState& state, bool uniform, bool parts) const;
  Predictors::Outcome predict(const x86::StaticInstruction& instruction, const PathState& state,
                              const ExecutedByLane& recorded) const;
  void follow(PathState& state, ScheduledPath& at, const x86::StaticInstruction& instruction, std::uint64_t target);

  void enter(PathId path, LaneMask lanes, const x86::StaticInstruction* instruction, Role role, Cycle now);
  BranchRecord& record(PathId path);

  void resolve_divergence(Fetched& branch);
  Flush resolve_uniform(const Fetched& branch);
  void undo_paths(const Fetched& fetched);
  void schedule_again(PathId path, std::uint64_t pc, std::uint32_t depth);
  void learn(const Fetched& branch);

  FrontSpec spec_;
  WarpReplay replay_;
  const x86::Code& code_;
  Predictors& predictors_;

  PathTable paths_;
  PathSchedulingTable schedule_;
  std::array<PathState, PathTable::kMaxEntries> states_;  // by path
  LaneMask begun_ = 0;
  InstructionWindow window_;
  std::uint64_t restart_ = 0;  // the branch of the last flush
  PathId restart_path_ = kNoPath;
  Flush restart_how_ = Flush::Nothing;
  bool waiting_ = false;  // some path waits at an event
  FrontCounts counts_;
};

}  // namespace warpfork::ooo
