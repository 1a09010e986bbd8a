#include "gpu/censuses.h"

#include <utility>

#include "gpu/lane_organisation.h"

namespace warpfork::gpu {

namespace {

/// Of lanes side by side; temporal ones have scalar registers in the same file.
const analysis::RegisterSet* scalar_file(const LaneOrganisation& lanes, const simt::Program& program) {
  return program.scalars.rule && !lanes.temporal ? &program.scalars.registers : nullptr;
}

}  // namespace

Censuses::Censuses(const MachineSpec& spec, const simt::Launch& launch, const LaunchOptions& options,
                   std::function<Rest()> rest)
    : rest_(std::move(rest)), listener_(options.listener) {
  const LaneOrganisation& lanes = find_lane_organisation(spec.core.lanes.organisation);
  if (options.counts_activity)
    add(activity_.emplace(*launch.program, launch.warp_size, lanes.temporal, scalar_file(lanes, *launch.program),
                          [this](report::ActivitySample& sample) {
                            const Rest now = rest_();
                            sample.memory = now.memory;
                            sample.activity.flits = now.flits;
                          }));
  if (options.counts_lines) add(lines_.emplace(spec, launch));
  if (options.interval != 0)
    add(intervals_.emplace(options.interval, lanes.lanes(spec.core), [this] { return rest_().memory; }));
  if (options.check_races) add(races_.emplace(spec, launch));
  if (options.trace != nullptr) add(*options.trace);
  if (options.max_instructions != 0) add(limit_.emplace(options.max_instructions));
}

void Censuses::add(report::LaunchListener& listener) {
  listener_ = listener_ == nullptr ? &listener : &pairs_.emplace_back(listener, *listener_);
}

void Censuses::fill(report::LaunchRecord& record) {
  if (activity_) {
    record.activity = activity_->count();
    record.activity.flits = rest_().flits;
  }
  if (lines_) record.lines = lines_->counts();
  if (races_) record.findings = races_->findings();
  if (intervals_) record.intervals = intervals_->counts(record.cycles);
}

}  // namespace warpfork::gpu
