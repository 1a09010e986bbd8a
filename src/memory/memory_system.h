// The path below the cores' caches: interconnect, L2 slices, DRAM channels (GPGPU-Sim's Fermi: gtx480.md
// "Interconnect", "Memory partition").
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/address_mapping.h"
#include "memory/awaited_responses.h"
#include "memory/clock_ratio.h"
#include "memory/core_port.h"
#include "memory/crossbar.h"
#include "memory/dram_channel.h"
#include "memory/l2_slice.h"
#include "memory/memory_request.h"
#include "memory/memory_spec.h"
#include "memory/memory_statistics.h"
#include "memory/transaction_table.h"
#include "memory/wake_wheel.h"

namespace warpfork::memory {

/// Timing only: what the bytes are is nobody's business here. In every core cycle `now` with next_event() <= now the
/// owner calls advance(now) once and then lets the cores take responses and inject; cycles in between may be skipped.
///
/// One advance: DRAM command clocks → each slice takes a request and
/// does one L2 cycle → both networks move. Requests that cores inject afterwards join the next cycle.
class MemorySystem {
 public:
  /// Throws Error for a description that contradicts itself.
  MemorySystem(const MemorySpec& spec, unsigned cores);

  /// Whether a request with this much data (0 for reads, the store's or atomic's bytes) fits into the core's port in
  /// cycle `now`, or in the cycle of the last advance() or inject().
  bool can_inject(unsigned core, std::uint32_t data_bytes, Cycle now) const;
  bool can_inject(unsigned core, std::uint32_t data_bytes) const { return can_inject(core, data_bytes, clock_); }
  /// Sends a request from core to memory: 8 bytes of header, and its data for stores, write-backs and atomics.
  /// Needs can_inject().
  void inject(const MemoryRequest& request, Cycle now);
  /// Bytes of data that travel with a request of this kind towards memory: what can_inject() asks for.
  static std::uint32_t data_bytes(const MemoryRequest& request);

  /// Earliest core cycle at which advance() has something to do; kNever when all is still.
  Cycle next_event() const;
  void advance(Cycle now);

  /// The response at the core's port, or null: a load's when its last sector is here, a store's or atomic's likewise.
  /// One a cycle: after pop_response() the next one shows in the next cycle at the earliest.
  const MemoryRequest* response(unsigned core) const {
    if (is_ahead(core)) [[unlikely]]
      return ahead_[core].response(ports_[core]);
    return cores_with_responses_ >> core & 1 ? &ports_[core].responses.front().request : nullptr;
  }
  void pop_response(unsigned core);
  /// The cores for which response() is not null, a bit each.
  std::uint64_t cores_with_responses() const { return cores_with_responses_; }
  /// The cycle in which the core's next response that is known of stands at its port; kNever when none is known.
  Cycle response_cycle(unsigned core) const {
    return ports_[core].responses.empty() ? kNever : ports_[core].responses.front().visible;
  }

  /// The cores that have not taken a response yet to something that they sent, a bit each.
  std::uint64_t cores_awaiting_response() const { return awaited_.cores(); }

  /// A core may run cycles that the memory side has not come to (docs/adr/0029): those before known_until(now), of
  /// which all responses are known if advance() has come to all before `now`; and if it awaits no response, all up to
  /// the first one in which it sends something. From begin_ahead() to end_ahead() its calls of the above are kept, and
  /// nobody else's business: each core may then be run by a host thread of its own. The owner calls repeat() in those
  /// of these cycles for which has_called_ahead() said so, where the core would have been run.
  Cycle known_until(Cycle now) const;
  /// Whether the core would see the same port in the cycles up to known_until() of any in which it first sends
  /// something, if it ran ahead.
  bool can_run_ahead(unsigned core) const { return requests_.is_roomy(core, known_ticks_); }
  void begin_ahead(unsigned core);
  void set_cycle_ahead(unsigned core, Cycle now) { ahead_[core].set_cycle(now); }
  /// When the next response that is known stands at the port of a core that is ahead.
  Cycle next_response_ahead(unsigned core) const { return ahead_[core].next_response(); }
  /// Whether a core that is ahead has taken a response or sent a request in its present cycle.
  bool has_called_ahead(unsigned core) const { return ahead_[core].has_called(); }
  /// Of all cores.
  void end_ahead() { are_ahead_ = 0; }
  void repeat(unsigned core, Cycle now);

  /// A copy from the host passed these bytes through the L2. Does nothing unless L2Spec::filled_by_copies.
  void warm(std::uint64_t address, std::uint64_t bytes);
  /// These bytes passed through the L2 at a time that is not simulated.
  void pass(std::uint64_t address, std::uint64_t bytes, bool is_write);
  /// Nothing under way and no response waits to be taken.
  bool idle() const { return next_event() == kNever && cores_with_responses_ == 0; }
  MemoryStatistics statistics() const;
  /// Lets everything that is still under way finish and sets the clock back to cycle 0. Contents of the L2 and open
  /// rows stay, and so do the statistics and the responses that nobody has taken yet.
  void end_kernel();

 private:
  bool is_ahead(unsigned core) const { return are_ahead_ >> core & 1; }
  void tick_channels(Cycle now);
  void tick_channel(unsigned channel, Tick tick, Cycle now);
  bool accept_from_slices(unsigned channel, Cycle now);
  void tick_slices(Tick tick, Cycle now);
  void move_networks(Tick tick);
  void deliver_reply(unsigned core, SectorRef ref, unsigned flits, Cycle arrival);
  void schedule_channel(unsigned channel, Tick tick, Cycle now);
  void wake_cores(Cycle now);
  Tick first_tick(const ClockRatio& clock, Cycle now) const { return now == 0 ? 0 : clock.tick_at(now - 1) + 1; }
  unsigned channel_of(unsigned slice) const { return slice / spec_.mapping.slices_per_channel; }

  MemorySpec spec_;
  AddressMapping mapping_;
  ClockRatio interconnect_clock_, dram_clock_;
  Tick known_ticks_;  // from a cycle to known_until() of it, at most
  TransactionTable transactions_;
  Crossbar requests_, replies_;
  std::vector<L2Slice> slices_;
  std::vector<DramChannel> channels_;
  std::vector<unsigned> last_served_;  // by channel: the slice it took a request from last
  std::vector<CorePort> ports_;
  AwaitedResponses awaited_;
  std::vector<PortAhead> ahead_;  // by core
  std::uint64_t are_ahead_ = 0;

  Cycle clock_ = 0;  // of the last advance or inject
  std::uint64_t cores_with_responses_ = 0;
  std::uint64_t active_slices_ = 0, active_channels_ = 0;  // have work in their next tick
  WakeWheel slice_wheel_, channel_wheel_, core_wheel_;     // have work at a later time
  std::uint64_t responses_ = 0, latency_sum_ = 0, latency_max_ = 0;
};

}  // namespace warpfork::memory
