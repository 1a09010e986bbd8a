#include "memory/crossbar.h"

#include "base/error.h"

namespace warpfork::memory {

Crossbar::Crossbar(const CrossbarSpec& spec, unsigned inputs, unsigned outputs)
    : spec_(spec), inputs_(inputs), outputs_(outputs) {
  if (inputs == 0 || outputs == 0 || inputs > kMostPorts || outputs > kMostPorts)
    throw Error("interconnect: {} by {} ports: each side has 1 to {} (cores, L2 slices)", inputs, outputs, kMostPorts);
  if (spec.flit_bytes == 0 || spec.internal_speedup == 0 || spec.latency == 0)
    throw Error("interconnect: flit_bytes, latency and internal_speedup must be at least 1");
  for (Output& out : outputs_) out.room = spec.output_buffer;
}

void Crossbar::send(unsigned input, unsigned output, unsigned flits, std::uint32_t payload, Tick tick) {
  Input& in = inputs_[input];
  const Tick eligible = std::max(tick, in.channel_free);
  in.channel_free = eligible + flits;
  in.flits += flits;
  flits_carried_ += flits;
  if (in.queue.empty()) {
    waiting_heads_ |= std::uint64_t{1} << input;
    queued_ |= std::uint64_t{1} << input;
  }
  in.queue.push({eligible, payload, static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(flits)});
}

void Crossbar::raise_requests(Tick tick) {
  for (std::uint64_t rest = waiting_heads_; rest != 0; rest &= rest - 1) {
    const unsigned input = static_cast<unsigned>(std::countr_zero(rest));
    const Packet& head = inputs_[input].queue.front();
    if (head.eligible > tick) continue;
    waiting_heads_ &= ~(std::uint64_t{1} << input);
    outputs_[head.output].requests |= std::uint64_t{1} << input;
    requested_outputs_ |= std::uint64_t{1} << head.output;
  }
}

unsigned Crossbar::winner(const Output& out) const {
  const std::uint64_t from_turn = out.requests >> out.turn << out.turn;
  return static_cast<unsigned>(std::countr_zero(from_turn != 0 ? from_turn : out.requests));
}

// A packet holds both ports for one channel allocation and one switch allocation a flit, `internal_speedup` of them a
// cycle; behind the switch its flits leave one a cycle.
Tick Crossbar::grant(unsigned input, Output& out, Tick tick) {
  Input& in = inputs_[input];
  const unsigned flits = in.queue.front().flits;
  const Tick hold = (flits + spec_.internal_speedup) / spec_.internal_speedup;
  in.queue.pop();
  in.flits -= flits;
  const std::uint64_t bit = std::uint64_t{1} << input;
  if (in.queue.empty()) {
    queued_ &= ~bit;
  } else {
    Packet& next = in.queue.front();
    next.eligible = std::max(next.eligible, tick + hold);
    waiting_heads_ |= bit;
  }
  out.requests &= ~bit;
  out.switch_free = tick + hold;
  out.turn = (input + 1) % static_cast<unsigned>(inputs_.size());
  out.room -= flits;
  const Tick arrival = std::max(tick + spec_.latency, out.link_free) + flits - 1;
  out.link_free = arrival + 1;
  return arrival;
}

void Crossbar::reset_clock() {
  check(empty(), [] { return std::string("interconnect: packets under way while the clock is reset"); });
  for (Input& in : inputs_) in.channel_free = 0;
  for (Output& out : outputs_) out.switch_free = out.link_free = 0;
}

}  // namespace warpfork::memory
