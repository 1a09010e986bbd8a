#include "memory/crossbar.h"

#include "base/error.h"

namespace warpfork::memory {

Crossbar::Crossbar(const CrossbarSpec& spec, unsigned inputs, unsigned outputs, unsigned input_queue)
    : spec_(spec), input_queue_(input_queue), inputs_(inputs), outputs_(outputs) {
  if (inputs == 0 || outputs == 0 || inputs > kMostPorts || outputs > kMostPorts)
    throw Error("interconnect: {} by {} ports: each side has 1 to {} (cores, L2 slices)", inputs, outputs, kMostPorts);
  if (spec.flit_bytes == 0 || spec.internal_speedup == 0 || spec.latency == 0)
    throw Error("memory.interconnect.{} is 0; it must be at least 1", spec.flit_bytes == 0         ? "flit_bytes"
                                                                      : spec.internal_speedup == 0 ? "internal_speedup"
                                                                                                   : "latency");
  for (Output& out : outputs_) out.room = spec.output_buffer;
}

void Crossbar::reset_clock() {
  check(empty(), [] { return std::string("interconnect: packets under way while the clock is reset"); });
  for (Input& in : inputs_) in.channel_free = in.switch_free = 0;
  for (Output& out : outputs_) out.switch_free = out.link_free = 0;
  uneven_until_ = 0;
}

}  // namespace warpfork::memory
