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
  Crossbar(const CrossbarSpec& spec, unsigned inputs, unsigned outputs);

  unsigned flits_of(unsigned bytes) const { return (bytes + spec_.flit_bytes - 1) / spec_.flit_bytes; }
  /// Whether a packet sent in `tick` finds room at the input.
  bool can_send(unsigned input, unsigned flits, Tick tick) const {
    const Input& in = inputs_[input];
    const Tick waiting = in.channel_free > tick ? in.channel_free - tick : 0;
    return waiting + flits <= spec_.injection_queue && in.flits + flits <= spec_.injection_queue + spec_.input_buffer;
  }
  /// Needs can_send(). The packet may win the switch in `tick`, if nothing is before it.
  void send(unsigned input, unsigned output, unsigned flits, std::uint32_t payload, Tick tick);
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
  struct Packet {
    Tick eligible;  // first tick in which it may win the switch
    std::uint32_t payload;
    std::uint8_t output;
    std::uint8_t flits;
  };
  struct Input {
    Ring<Packet> queue;
    Tick channel_free = 0;  // first tick in which another flit may enter
    unsigned flits = 0;     // waiting before the switch
  };
  struct Output {
    std::uint64_t requests = 0;  // inputs whose head packet may go here
    Tick switch_free = 0;
    Tick link_free = 0;  // first tick in which another flit may arrive behind the port
    unsigned room = 0;   // flits that still fit behind the port
    unsigned turn = 0;   // the input that is asked first
  };

  void raise_requests(Tick tick);
  unsigned winner(const Output& out) const;
  Tick grant(unsigned input, Output& out, Tick tick);

  CrossbarSpec spec_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::uint64_t waiting_heads_ = 0;      // inputs with a head packet that makes no request yet
  std::uint64_t requested_outputs_ = 0;  // outputs with requests
  std::uint64_t queued_ = 0;             // inputs with packets
  std::uint64_t flits_carried_ = 0;
};

template <class Deliver>
void Crossbar::step(Tick tick, Deliver&& deliver) {
  if (waiting_heads_ != 0) raise_requests(tick);
  for (std::uint64_t rest = requested_outputs_; rest != 0; rest &= rest - 1) {
    const unsigned output = static_cast<unsigned>(std::countr_zero(rest));
    Output& out = outputs_[output];
    if (out.switch_free > tick) continue;
    const unsigned input = winner(out);
    const Packet packet = inputs_[input].queue.front();
    if (out.room < packet.flits) continue;
    const Tick arrival = grant(input, out, tick);
    if (out.requests == 0) requested_outputs_ &= ~(std::uint64_t{1} << output);
    deliver(output, packet.payload, packet.flits, arrival);
  }
}

}  // namespace warpfork::memory
