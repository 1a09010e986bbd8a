#include "trace/launch_trace.h"

#include <algorithm>

#include "gpu/lane_organisation.h"
#include "gpu/thread_lanes.h"
#include "report/kernel_name.h"

namespace warpfork::trace {

namespace {

constexpr unsigned kLaunches = 1;  // process and track

Cycle behind(Cycle origin, Cycle at) { return at > origin ? at - origin : 0; }

std::string arguments_of(const simt::Launch& launch, const std::string& fault) {
  const auto size = [](Dim3 dim) { return fmt::format("\"{},{},{}\"", dim.x, dim.y, dim.z); };
  return fmt::format(R"("grid":{},"block":{}{})", size(launch.grid), size(launch.block),
                     fault.empty() ? "" : fmt::format(R"(,"ended by":{})", json_text(fault)));
}

}  // namespace

LaunchTrace::LaunchTrace(const simt::Launch& launch, const gpu::MachineSpec& machine, const Request& request,
                         Cycle origin, EventWriter& writer)
    : launch_(launch),
      request_(request),
      writer_(writer),
      code_(*launch.program),
      options_{machine, code_, gpu::used_lanes(machine, launch.threads_per_block()), request.window},
      from_(behind(origin, request.cycles.first)),
      until_(request.cycles.last == ~Cycle{0} ? kNever : behind(origin, request.cycles.last + 1)),
      has_lanes_(gpu::find_lane_organisation(machine.core.lanes.organisation).lanes(machine.core) != 0),
      full_at_(is_full() ? 0 : kNever) {
  writer_.begin_launch(origin);
}

void LaunchTrace::core_began(const report::CoreEvent& event) {
  if (!request_.cores.contains(event.core)) return;
  cores_.resize(std::max<std::size_t>(cores_.size(), event.core + 1));
  cores_[event.core] = std::make_unique<CoreTrace>(writer_, options_, event);
}

/// The core, if any of the span is to be drawn, which is then cut to that. It enters and leaves where it must.
CoreTrace* LaunchTrace::drawing(unsigned core, Span& span) {
  CoreTrace* const drawn = of(core);
  const Cycle end = span.from + span.cycles;
  last_ = std::max(last_, end);
  if (drawn == nullptr || full_at_ != kNever || end <= from_) return nullptr;
  if (is_full()) {
    full_at_ = span.from;
    leave_all(full_at_);
    return nullptr;
  }
  if (span.from >= until_) {
    drawn->leave(until_);
    return nullptr;
  }
  if (!drawn->is_drawing()) drawn->enter(from_);
  const Cycle from = std::max(span.from, from_);
  span = {from, std::min(end, until_) - from};
  return drawn;
}

void LaunchTrace::leave_all(Cycle at) {
  for (const auto& core : cores_)
    if (core) core->leave(at);
}

/// A core that does not draw must know of it, too.
void LaunchTrace::block_started(const report::BlockEvent& event) {
  Span span{event.at.cycle, 1};
  drawing(event.at.core, span);
  if (CoreTrace* const core = of(event.at.core)) core->block_started(event);
}

void LaunchTrace::issued(const report::IssueEvent& event) {
  Span span{event.cycle, 1};
  if (CoreTrace* const core = drawing(event.core, span)) core->issued(event);
}

void LaunchTrace::stalled(report::Stamp at, report::StallCause cause, Cycle cycles) {
  Span span{at.cycle, cycles};
  if (CoreTrace* const core = drawing(at.core, span)) core->stalled(at.unit, cause, span.from, span.cycles);
}

void LaunchTrace::occupied(report::Stamp at, unsigned live_warps, Cycle cycles) {
  Span span{at.cycle, cycles};
  if (CoreTrace* const core = drawing(at.core, span)) core->occupied(live_warps, span.from, span.cycles);
}

void LaunchTrace::lane_entered(const report::LaneEvent& event) {
  Span span{event.at.cycle, 1};
  if (CoreTrace* const core = drawing(event.at.core, span)) core->lane_entered(event);
}

void LaunchTrace::end(Cycle cycles, const std::string& fault) {
  const Cycle until = std::min(cycles, until_);
  leave_all(until);
  if (until <= from_) return;
  Track track{kLaunches, kLaunches};
  writer_.name_process(kLaunches, "launches");
  writer_.name_track(track, "launches");
  writer_.begin(track, from_, report::readable_kernel_name(launch_.program->name), arguments_of(launch_, fault));
  if (full_at_ != kNever) writer_.instant(track, full_at_, "no more is drawn from here on");
  writer_.end(track, until);
}

}  // namespace warpfork::trace
