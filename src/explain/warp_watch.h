// One warp of a launch, watched from its start to its end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explain/kernel_flow.h"
#include "explain/life_text.h"
#include "explain/warp_frames.h"
#include "explain/warp_graph.h"
#include "gpu/resident_block.h"
#include "report/launch_listener.h"

namespace warpfork::explain {

/// Where a block's domain regroups threads, the watched warp is a place: whatever runs in it belongs to its life.
class WarpWatch final : public report::LaunchListener {
 public:
  /// `width`: digits of a mask; `regroups`: threads of one warp may run in the place of another one; `head`: what the
  /// text begins with; `temporal`: lanes that warps enter thread by thread; `keeps_frames`: what
  /// the warp was in every cycle is wanted, too.
  WarpWatch(const simt::Program& program, const Request& request, unsigned width, bool regroups,
            const std::string& head, bool temporal, bool keeps_frames);

  void block_started(const report::BlockEvent& event) override;
  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }
  void lane_entered(const report::LaneEvent& event) override;
  bool observes_lanes(unsigned) const override { return temporal_; }
  void cycled(report::Stamp at, const gpu::Core& core) override;
  bool observes_cycles() const override { return frames_ != nullptr; }

  /// All are called once, at the end of the launch.
  std::string text();
  std::string graphviz() const { return graph_.graphviz(width_); }
  /// See WarpFrames; null if they were not to be kept.
  report::Json frames() const { return frames_ == nullptr ? report::Json() : frames_->json(); }

 private:
  struct Seen {  // a split that may run or waits at a barrier
    Pc pc = 0;
    ActiveMask lanes;
    Pc reconvergence_pc = kNoPc;
    bool waits = false;
    std::string homes;
  };
  struct State {
    std::vector<Seen> splits;
    std::string tables;
    std::string shape;  // the tables without the pcs, which advance with every instruction
    bool finished = false;
    const Seen* find(ActiveMask lanes) const;
  };

  void note(Cycle now, const std::string& text);
  State look(const gpu::ResidentBlock& block) const;
  void own_step(const gpu::Step& step, const State& before, Cycle now);
  void tell_of_branch(const gpu::Step& step, Cycle now);
  void tell_of_wait_at_branch(const gpu::Step& step, Cycle now);
  void tell_of_barrier(const gpu::Step& step, Cycle now);
  void tell_of_arrival(const gpu::Step& step, const State& before, Cycle now);
  void tell_of_changes(const State& before, const gpu::Step& step, Cycle now);
  std::string through(const State& before, const gpu::Step& step) const;
  bool tell_of_new_splits(const State& before, Cycle now);
  std::string lanes_text(const gpu::Step& step) const;
  std::string mask(ActiveMask lanes) const { return lanes.to_string(width_); }

  const KernelFlow flow_;
  const Request request_;
  unsigned width_;
  bool regroups_;
  std::string head_;
  const bool temporal_;
  LanePassages passages_;
  LifeText text_;
  WarpGraph graph_;
  const std::unique_ptr<WarpFrames> frames_;   // may be null
  const gpu::ResidentBlock* block_ = nullptr;  // null before it starts
  unsigned core_ = 0, warp_ = 0;               // its core, and the slot of the warp there
  bool started_ = false;
  State state_;
  std::uint64_t issues_ = 0, active_lanes_ = 0, partings_ = 0;
};

}  // namespace warpfork::explain
