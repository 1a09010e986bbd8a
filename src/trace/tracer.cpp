#include "trace/tracer.h"

#include <algorithm>

namespace warpfork::trace {

Tracer::Tracer(const Request& request)
    : request_(request), state_(read_state(request.state_file)), writer_(request.file, state_.bytes) {}

report::LaunchListener* Tracer::begin(const simt::Launch& launch, const gpu::MachineSpec& machine) {
  return &launch_.emplace(launch, machine, request_, state_.cycles, writer_);
}

void Tracer::end(Cycle cycles, const std::string& fault) {
  launch_->end(cycles, fault);
  if (launch_->full_at() != kNever && !state_.full_at) state_.full_at = state_.cycles + launch_->full_at();
  launch_.reset();
  writer_.flush();
  state_.cycles = std::max(state_.cycles + cycles, writer_.latest());
  ++state_.launches;
  state_.bytes = writer_.bytes();
  if (state_.failure.empty()) state_.failure = writer_.failure();
  write_state(state_, request_.state_file);
}

void Tracer::fail(const std::string& why) {
  if (launch_) end(launch_->last_cycle(), why.substr(0, why.find('\n')));
}

}  // namespace warpfork::trace
