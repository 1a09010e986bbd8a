// One network of a GPU's interconnect: a one-stage crossbar with input queues, as GPGPU-Sim's Fermi configures its
// butterfly (k-ary 1-fly, one virtual channel, iSLIP with one iteration).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "memory/clock_ratio.h"
#include "memory/crossbar_spec.h"
#include "memory/ring.h"

namespace warpfork::memory {

/// Packets of whole flits from input to output ports. A port takes in and gives out one flit a cycle; the packet at the
/// head of an input waits for its output and blocks those behind it; an output chooses among the inputs in turn and is
/// held until the packet has gone through the switch. Times are ticks of the interconnect clock.
class Crossbar {
 public:
  /// Ports on a side are kept in one 64-bit set.
  static constexpr unsigned kMostPorts = 64;

  /// Throws Error when a side has no port or more than kMostPorts.
  /// `input_queue`: flits that may wait to enter an input port.
  Crossbar(const CrossbarSpec& spec, unsigned inputs, unsigned outputs, unsigned input_queue);

  unsigned flits_of(unsigned bytes) const { return (bytes + spec_.flit_bytes - 1) / spec_.flit_bytes; }
  /// Whether a packet sent in `tick` finds room at the input.
  bool can_send(unsigned input, unsigned flits, Tick tick) const {
    const Input& in = inputs_[input];
    return can_enter(in.channel_free, flits, tick) && in.flits + flits <= input_queue_ + spec_.input_buffer;
  }
  /// Whether nothing but the port's own speed, which can_enter() knows, holds up a packet that is sent in one of the
  /// next `ticks`, whatever the switch takes of it meanwhile. In so many ticks no more flits come than can wait to
  /// enter and enter.
  bool is_roomy(unsigned input, Tick ticks) const { return inputs_[input].flits + ticks <= spec_.input_buffer; }
  /// The tick from which on the port takes in what is sent next.
  Tick channel_free(unsigned input) const { return inputs_[input].channel_free; }
  /// Whether a packet sent in `tick` finds room to wait before a port that is free from `channel_free` on.
  bool can_enter(Tick channel_free, unsigned flits, Tick tick) const {
    return (channel_free > tick ? channel_free - tick : 0) + flits <= input_queue_;
  }
  /// Needs can_send(). The packet may win the switch in `tick`, if nothing is before it.
  void send(unsigned input, unsigned output, unsigned flits, std::uint32_t payload, Tick tick) {
    Input& in = inputs_[input];
    const Tick entered = std::max(tick, in.channel_free);
    in.channel_free = entered + flits;
    in.flits += flits;
    flits_carried_ += flits;
    if (in.queue.empty()) waiting_heads_ |= std::uint64_t{1} << input;
    ++queued_;
    in.queue.push({entered, payload, static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(flits)});
  }
  /// One interconnect cycle. Calls deliver(output, payload, flits, arrival) for every packet that wins its output:
  /// in tick `arrival` all of it is behind the output port, where it keeps its room until release().
  template <class Deliver>
  void step(Tick tick, Deliver&& deliver);
  /// A delivered packet was taken off the output port.
  void release(unsigned output, unsigned flits) { outputs_[output].room += flits; }
  /// Whether no packet waits before the switch.
  bool empty() const { return queued_ == 0; }
  std::uint64_t flits_carried() const { return flits_carried_; }
  /// Forgets all times; needs empty(). Ticks count from 0 again.
  void reset_clock();

 private:
  /// A round of switch allocation; internal_speedup of them make a tick.
  using Round = std::uint64_t;

  struct Packet {
    Tick entered;  // when its first flit is in the input buffer
    std::uint32_t payload;
    std::uint8_t output;
    std::uint8_t flits;
  };
  struct Input {
    Ring<Packet> queue;
    Tick channel_free = 0;  // first tick in which another flit may enter
    Round switch_free = 0;
    unsigned flits = 0;  // waiting before the switch
  };
  struct Output {
    std::uint64_t requests = 0;  // inputs whose head packet may go here
    Round switch_free = 0;
    Tick link_free = 0;  // first tick in which another flit may arrive behind the port
    unsigned room = 0;   // flits that still fit behind the port
    unsigned turn = 0;   // the input that is asked first
  };

  void raise_requests(Round round, Tick tick);
  static unsigned winner(const Output& out) {
    const std::uint64_t from_turn = out.requests >> out.turn << out.turn;
    return static_cast<unsigned>(std::countr_zero(from_turn != 0 ? from_turn : out.requests));
  }
  Tick grant(unsigned input, const Packet& packet, Output& out, Round round, Tick tick);
  template <class Deliver>
  void allocate(Round round, Tick tick, Deliver&& deliver);

  CrossbarSpec spec_;
  unsigned input_queue_;
  Round uneven_until_ = 0;  // until then ports may come free in the middle of a tick
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::uint64_t waiting_heads_ = 0;      // inputs with a head packet that makes no request yet
  std::uint64_t requested_outputs_ = 0;  // outputs with requests
  unsigned queued_ = 0;                  // packets before the switch
  std::uint64_t flits_carried_ = 0;
};

inline void Crossbar::raise_requests(Round round, Tick tick) {
  std::uint64_t waiting = waiting_heads_, requested = requested_outputs_;
  for (std::uint64_t rest = waiting; rest != 0; rest &= rest - 1) {
    const unsigned input = static_cast<unsigned>(std::countr_zero(rest));
    const Input& in = inputs_[input];
    const Packet& head = in.queue.front();
    if (head.entered > tick || in.switch_free > round) continue;
    waiting &= ~(std::uint64_t{1} << input);
    outputs_[head.output].requests |= std::uint64_t{1} << input;
    requested |= std::uint64_t{1} << head.output;
  }
  waiting_heads_ = waiting;
  requested_outputs_ = requested;
}

// A packet holds both ports for a round of channel allocation and a round for each flit, and not less than until its
// last flit has come in. Behind the switch its flits leave one a tick.
inline Tick Crossbar::grant(unsigned input, const Packet& packet, Output& out, Round round, Tick tick) {
  Input& in = inputs_[input];
  in.queue.pop();
  in.flits -= packet.flits;
  --queued_;
  if (!in.queue.empty()) waiting_heads_ |= std::uint64_t{1} << input;
  const Round last_flit = (packet.entered + packet.flits - 1) * spec_.internal_speedup;
  const Round free = std::max(round + packet.flits + 1, last_flit + 1);
  if (free != (tick + 1) * spec_.internal_speedup) uneven_until_ = std::max(uneven_until_, free);
  in.switch_free = out.switch_free = free;
  out.requests &= ~(std::uint64_t{1} << input);
  out.turn = input + 1 == inputs_.size() ? 0 : input + 1;
  out.room -= packet.flits;
  const Tick arrival = std::max(tick + spec_.latency, out.link_free) + packet.flits - 1;
  out.link_free = arrival + 1;
  return arrival;
}

template <class Deliver>
void Crossbar::allocate(Round round, Tick tick, Deliver&& deliver) {
  if (waiting_heads_ != 0) raise_requests(round, tick);
  for (std::uint64_t rest = requested_outputs_; rest != 0; rest &= rest - 1) {
    const unsigned output = static_cast<unsigned>(std::countr_zero(rest));
    Output& out = outputs_[output];
    if (out.switch_free > round) continue;
    const unsigned input = winner(out);
    const Packet packet = inputs_[input].queue.front();
    if (out.room < packet.flits) continue;
    const Tick arrival = grant(input, packet, out, round, tick);
    if (out.requests == 0) requested_outputs_ &= ~(std::uint64_t{1} << output);
    deliver(output, packet.payload, packet.flits, arrival);
  }
}

template <class Deliver>
void Crossbar::step(Tick tick, Deliver&& deliver) {
  const Round first = tick * spec_.internal_speedup;
  allocate(first, tick, deliver);
  for (Round round = first + 1; round < first + spec_.internal_speedup && round <= uneven_until_; ++round)
    allocate(round, tick, deliver);
}

}  // namespace warpfork::memory
