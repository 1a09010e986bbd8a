// Two listeners where one is wanted.
#pragma once

#include "report/launch_listener.h"

namespace warpfork::report {

/// Both hear everything, the first one first.
class ListenerPair final : public LaunchListener {
 public:
  ListenerPair(LaunchListener& first, LaunchListener& second) : first_(first), second_(second) {}

  void core_began(const CoreEvent& event) override { first_.core_began(event), second_.core_began(event); }
  void block_started(const BlockEvent& event) override { first_.block_started(event), second_.block_started(event); }
  void issued(const IssueEvent& event) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_issues()) one->issued(event);
  }
  bool observes_issues() const override { return first_.observes_issues() || second_.observes_issues(); }
  void ran(const IssueRun& run) override { first_.ran(run), second_.ran(run); }
  void branched(const BranchEvent& event) override { first_.branched(event), second_.branched(event); }
  void compacted(const CompactionEvent& event) override { first_.compacted(event), second_.compacted(event); }
  void cycled(Stamp at, const gpu::Core& core) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_cycles()) one->cycled(at, core);
  }
  bool observes_cycles() const override { return first_.observes_cycles() || second_.observes_cycles(); }
  void scheduled(const SchedulerCycles& sum) override { first_.scheduled(sum), second_.scheduled(sum); }
  void stalled(Stamp at, StallCause cause, Cycle cycles) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_stalls()) one->stalled(at, cause, cycles);
  }
  void occupied(Stamp at, unsigned live_warps, Cycle cycles) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_stalls()) one->occupied(at, live_warps, cycles);
  }
  bool observes_stalls() const override { return first_.observes_stalls() || second_.observes_stalls(); }
  void split(const SplitEvent& event) override { first_.split(event), second_.split(event); }
  void lanes(const LaneCycles& event) override { first_.lanes(event), second_.lanes(event); }
  LaneTimeline* lane_timeline(unsigned core) override {
    LaneTimeline* const first = first_.lane_timeline(core);
    return first != nullptr ? first : second_.lane_timeline(core);
  }
  void lane_entered(const LaneEvent& event) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_lanes(event.at.core)) one->lane_entered(event);
  }
  bool observes_lanes(unsigned core) const override {
    return first_.observes_lanes(core) || second_.observes_lanes(core);
  }
  void missed(Stamp at, const gpu::InFlight& load) override {
    for (LaunchListener* one : {&first_, &second_})
      if (one->observes_misses()) one->missed(at, load);
  }
  bool observes_misses() const override { return first_.observes_misses() || second_.observes_misses(); }
  void table_moved(Stamp at, bool to_memory, unsigned bytes) override {
    first_.table_moved(at, to_memory, bytes), second_.table_moved(at, to_memory, bytes);
  }
  void threads(Stamp at, const ThreadCycles& cycles) override {
    first_.threads(at, cycles), second_.threads(at, cycles);
  }
  void tables_used(Stamp at, unsigned splits, unsigned reconvergence) override {
    first_.tables_used(at, splits, reconvergence), second_.tables_used(at, splits, reconvergence);
  }

 private:
  LaunchListener& first_;
  LaunchListener& second_;
};

}  // namespace warpfork::report
