// Draws one launch on a timeline.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simt/launch.h"
#include "trace/core_trace.h"
#include "trace/request.h"

namespace warpfork::trace {

/// Hears all cores of a launch that begins at `origin` of the time axis, and draws those of the request in the cycles
/// of the request, until the file has as many bytes as it may, or the system takes no more.
class LaunchTrace final : public report::LaunchListener {
 public:
  /// All must outlive it.
  LaunchTrace(const simt::Launch& launch, const gpu::MachineSpec& machine, const Request& request, Cycle origin,
              EventWriter& writer);

  void core_began(const report::CoreEvent& event) override;
  void block_started(const report::BlockEvent& event) override;
  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }
  void stalled(report::Stamp at, report::StallCause cause, Cycle cycles) override;
  void occupied(report::Stamp at, unsigned live_warps, Cycle cycles) override;
  bool observes_stalls() const override { return true; }
  void lane_entered(const report::LaneEvent& event) override;
  bool observes_lanes(unsigned core) const override { return has_lanes_ && of(core) != nullptr; }

  /// The launch has ended after so many cycles, or it failed or was cut off there, and why. Once.
  void end(Cycle cycles, const std::string& fault);
  /// Of the last event.
  Cycle last_cycle() const { return last_; }
  /// Where the file became full; kNever: it did not.
  Cycle full_at() const { return full_at_; }

 private:
  /// Cycles of the launch.
  struct Span {
    Cycle from = 0, cycles = 0;
  };

  CoreTrace* of(unsigned core) const { return core < cores_.size() ? cores_[core].get() : nullptr; }
  bool is_full() const {
    return !writer_.failure().empty() || (request_.bytes != 0 && writer_.bytes() >= request_.bytes);
  }
  CoreTrace* drawing(unsigned core, Span& span);
  void leave_all(Cycle at);

  const simt::Launch& launch_;
  const Request& request_;
  EventWriter& writer_;
  const CodeText code_;
  const CoreTrace::Options options_;
  const Cycle from_, until_;  // that are drawn
  const bool has_lanes_;
  Cycle last_ = 0, full_at_;
  std::vector<std::unique_ptr<CoreTrace>> cores_;  // by number; null: not drawn
};

}  // namespace warpfork::trace
