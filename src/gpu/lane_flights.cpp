#include "gpu/lane_flights.h"

namespace warpfork::gpu {

std::uint32_t LaneFlights::take(const LaneInstruction& instruction, Cycle to_forward) {
  flights_.push({.instruction = instruction, .to_forward = to_forward});
  return first_ + flights_.size() - 1;
}

Cycle LaneFlights::will_enter(const GroupStream& stream) {
  Flight& flight = of(stream.first.flight);
  const Cycle before = flight.forward;
  if (stream.first.is_memory) return before;
  if (flight.forward > stream.enters) flight.forward = stream.enters - stream.first.ordinal + flight.to_forward;
  if (stream.has_last) flight.done = stream.enters + stream.groups - 1 + stream.first.to_result;
  due_ = std::min(due_, flight.due());
  return before;
}

void LaneFlights::take_back(const GroupStream& stream, unsigned kept) {
  if (stream.first.is_memory) return;
  Flight& flight = of(stream.first.flight);
  if (kept == 0) {
    flight.forward = stream.forward_before;
    if (!flight.forwarded) due_ = std::min(due_, flight.forward);  // sooner, as it was put off by them
  }
  if (stream.has_last) flight.done = kNever;
}

void LaneFlights::leave(std::uint32_t flight) {
  of(flight).left = true;
  forget_left();
}

void LaneFlights::end_warp(unsigned warp) {
  for (std::uint32_t i = 0; i < flights_.size(); ++i) {
    Flight& flight = flights_[i];
    if (flight.left || pool_[flight.instruction.id].warp != warp) continue;
    flight.ends = true;
    due_ = std::min(due_, flight.due());
  }
}

void LaneFlights::write_back(WarpEvents& events, Cycle now) {
  due_ = kNever;
  for (std::uint32_t i = 0; i < flights_.size(); ++i) {
    Flight& flight = flights_[i];
    if (flight.left) continue;
    if (!flight.forwarded && flight.forward <= now) {
      flight.forwarded = true;
      events.written_back(pool_[flight.instruction.id]);
    }
    if (flight.done <= now) {
      flight.left = true;
      events.left_pipeline(pool_[flight.instruction.id].warp);
      pool_.release(flight.instruction.id);
      continue;
    }
    due_ = std::min(due_, flight.due());
  }
  forget_left();
}

void LaneFlights::forget_left() {
  for (; !flights_.empty() && flights_.front().left; ++first_) flights_.pop();
}

}  // namespace warpfork::gpu
