#include "trace/core_trace.h"

#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::trace {

namespace {

// Numbers of tracks, in the order in which they are drawn. A warp has at most kMaxWarpSize splits.
constexpr unsigned kSchedulers = 1, kLanes = 100, kWarps = 1000, kWarpStep = 100;
constexpr unsigned kFirstCore = 2;  // process 1 is the launches

}  // namespace

CoreTrace::CoreTrace(EventWriter& writer, const Options& options, const report::CoreEvent& core)
    : writer_(writer),
      options_(options),
      process_(kFirstCore + core.core),
      regroups_(find_divergence_mechanism(options.machine.divergence.mechanism).regroups),
      counters_(writer, process_, options.window, core.in_flight),
      rows_(gpu::warp_slots(options.machine.core)) {
  const gpu::CoreSpec& spec = options.machine.core;
  writer_.name_process(process_, fmt::format("core {}", core.core));
  for (unsigned i = 0; i < spec.schedulers; ++i)
    schedulers_.emplace_back(writer, Track{process_, kSchedulers + i}, fmt::format("scheduler {}", i));
  const unsigned lanes = gpu::find_lane_organisation(spec.lanes.organisation).lanes(spec);
  for (unsigned i = 0; i < lanes; ++i)
    lanes_.emplace_back(writer, Track{process_, kLanes + i}, fmt::format("lane {}", i));
  for (unsigned slot = 0; slot < rows_.size(); ++slot) warp_names_.push_back(fmt::format("warp {}", slot));
}

void CoreTrace::enter(Cycle at) {
  is_drawing_ = true;
  for (const auto& [first, block] : blocks_) begin_warps(first, at);
}

void CoreTrace::leave(Cycle at) {
  if (!is_drawing_) return;
  is_drawing_ = false;
  for (auto& rows : rows_)
    if (rows) rows->end(at);
  for (MergedTrack& track : schedulers_) track.finish();
  for (MergedTrack& track : lanes_) track.finish();
  counters_.finish(at);
}

void CoreTrace::block_started(const report::BlockEvent& event) {
  blocks_[event.at.unit] = {event.block, event.warps, event.index};
  if (is_drawing_) begin_warps(event.at.unit, event.at.cycle + 1);
}

void CoreTrace::begin_warps(unsigned first, Cycle at) {
  const Block& block = blocks_.at(first);
  for (WarpId warp = 0; warp < block.warps; ++warp) rows_of(first + warp).begin(*block.block, warp, block.index, at);
}

void CoreTrace::issued(const report::IssueEvent& event) {
  counters_.issued(event.cycle, event.active.count());
  schedulers_[event.warp % schedulers_.size()].add(event.cycle, 1, warp_names_[event.warp]);
  rows_of(event.warp).issued(event);
  const unsigned first = event.warp - event.step->warp;
  for (WarpId warp = 0; warp < event.block->warps(); ++warp) {
    const bool may_have_changed = regroups_ || warp == event.step->warp || event.step->changed.contains(warp);
    if (WarpRows& rows = rows_of(first + warp); may_have_changed && rows.is_open()) rows.changed(event.cycle + 1);
  }
}

void CoreTrace::stalled(unsigned scheduler, report::StallCause cause, Cycle from, Cycle cycles) {
  counters_.stalled(from, cycles, cause);
  schedulers_[scheduler].add(from, cycles, std::string(report::kStallCauseKeys[static_cast<unsigned>(cause)].name));
}

void CoreTrace::occupied(unsigned live_warps, Cycle from, Cycle cycles) {
  counters_.occupied(from, cycles, live_warps);
}

void CoreTrace::lane_entered(const report::LaneEvent& event) {
  lanes_[event.lane].add(event.at.cycle, 1, warp_names_[event.at.unit]);
}

WarpRows& CoreTrace::rows_of(unsigned slot) {
  std::unique_ptr<WarpRows>& rows = rows_[slot];
  if (!rows)
    rows = std::make_unique<WarpRows>(writer_, options_.code, Track{process_, kWarps + slot * kWarpStep}, slot,
                                      options_.mask_width);
  return *rows;
}

}  // namespace warpfork::trace
