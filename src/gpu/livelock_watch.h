// Finds launches that never end although threads run: a spin lock whose holder its mechanism never lets run.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gpu/machine_spec.h"
#include "gpu/resident_block.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

class Core;

/// Claims a livelock only where it is certain, whatever the schedule.
///
/// A thread that reads no clock and no other thread's registers goes a way that its own registers and memory decide. So
/// while nothing changes memory, a thread that has come back to a place with the registers that it had there goes round
/// for ever. If every thread that was ever runnable did so in a time in which nobody stored, changed a word by an
/// atomic, came to a barrier or exited, then memory stays as it is, and so do those that wait at barriers. What is left
/// is threads that their mechanism holds back until others of their warp have come to a reconvergence point, the
/// postdominator of a branch: those go round without coming there.
///
/// Only the instructions on the way round count: no claim is made where one of these reads a clock or other lanes'
/// registers, or prints. None is made of mechanisms that move threads between warps. Under one that lets all of a
/// warp's paths run at last, or where a limit on splits (divergence.max_splits) holds threads back, all of a warp's
/// threads must go round, or those that do must read no memory: then nobody can help them.
///
/// Steps are recorded a sixteenth of the time, beginning with cycle 2^16, then after twice as many cycles each time.
class LivelockWatch final : public report::LaunchListener {
 public:
  using Cores = std::vector<std::unique_ptr<Core>>;

  /// If `may_listen` is false, somebody else hears of the cores' steps, and has_found() finds nothing.
  LivelockWatch(const simt::Program& program, const MachineDivergenceSpec& divergence, bool may_listen = true);

  /// Whether the launch will never end. To be asked after each cycle in which something happened; `dealt`: no block can
  /// start before one has ended.
  bool has_found(Cycle now, const Cores& cores, bool dealt) { return now >= next_ && look(now, cores, dealt); }

  /// Before this cycle has_found() looks at nothing, and nobody listens; 0 if somebody does.
  Cycle idle_until() const { return begin_ == 0 ? next_ : 0; }

  /// Without cores: whether is_stuck() may be asked, after all that happens from begin() on was told.
  bool can_claim() const;
  void begin() { ++window_; }
  /// Whether no instruction of the kernel keeps it from a claim.
  bool decides_alone() const;
  /// Whether threads of the block can go on only when others of their warp have come somewhere, or at a barrier.
  static bool holds_back(const ResidentBlock& block);

  void block_started(const report::BlockEvent&) override { ++window_; }
  void issued(const report::IssueEvent& event) override { stepped(*event.block, *event.step); }
  bool observes_issues() const override { return true; }
  /// The block has executed an instruction.
  void stepped(const ResidentBlock& block, const Step& step);

  /// Whether no thread of the block can ever get any further.
  bool is_stuck(const ResidentBlock& block) const;

 private:
  /// Where a warp was, and what has run since.
  struct Round {
    std::uint64_t window = 0;  // it is of; 0 = none
    std::uint64_t steps = 0, next_mark = 1;
    bool is_closed = false;     // the warp has come back to its mark
    bool decides_alone = true;  // all that it has executed since
    bool reads_memory = false;  // some of it
    ActiveMask ran, runnable;
    std::vector<WarpSplit> splits;
    std::vector<std::byte> registers;
    std::vector<std::uint32_t> predicates;
  };

  bool look(Cycle now, const Cores& cores, bool dealt);
  void listen(const Cores& cores, report::LaunchListener* listener) const;
  bool changes_something(const ResidentBlock& block, const Step& step) const;
  static ActiveMask runnable_lanes(const ResidentBlock& block, WarpId warp);
  void mark(Round& round, const ResidentBlock& block, WarpId warp) const;
  bool closes(const Round& round, const ResidentBlock& block, WarpId warp) const;
  bool is_at_mark(const Round& round, const ResidentBlock& block, WarpId warp) const;

  const simt::Program& program_;
  const MachineDivergenceSpec& divergence_;
  bool lets_all_run_;         // of a warp's threads, at last
  Cycle next_;                // when to look again
  Cycle begin_ = 0;           // of the present listening; 0 = does not listen
  std::uint64_t window_ = 1;  // number of the time in which nothing has changed
  std::unordered_map<const ResidentBlock*, std::vector<Round>> rounds_;  // by warp; looked up, never walked through
};

}  // namespace warpfork::gpu
