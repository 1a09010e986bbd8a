// The load/store unit of a core: shared memory, constant, texture and L1 data cache behind one instruction at
// a time (GPGPU-Sim's ldst_unit as gtx480.md describes it).
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/core_spec.h"
#include "gpu/in_flight_pool.h"
#include "gpu/passing_access.h"
#include "gpu/register_write_port.h"
#include "gpu/warp_events.h"
#include "memory/cache.h"
#include "memory/memory_system.h"
#include "memory/ring.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// One cycle of the core is write_back(), then (after the operand collector's cycle) cycle(), then accept(). Either
/// does nothing before next_event(), which comes closer when an instruction, a response or a table entry arrives.
class LoadStoreUnit {
 public:
  LoadStoreUnit(const CoreSpec& spec, unsigned core, InFlightPool& pool, memory::MemorySystem& memory,
                WarpEvents& events);

  /// A kernel begins: `misses` hears of loads that missed, null = nobody does.
  void begin_kernel(report::LaunchListener* misses) { misses_ = misses; }
  void write_back(RegisterWritePort& registers, Cycle now) {
    if (due_ <= now) write_back_due(registers, now);
  }
  void cycle(Cycle now) {
    if (due_ > now) return;
    cycle_due(now);
    due_ = next_due(now);
  }
  bool can_accept() const { return dispatch_ == kNoInFlight; }
  void accept(InFlightId id);

  /// A table entry of a warp goes to memory (a Store) or comes back (a Load, whose token is an InFlightId): through the
  /// L1 data cache, before the instructions that wait.
  void move_table_entry(const MemoryRequest& request) {
    table_moves_.push(request);
    due_ = 0;
  }

  bool can_take_response() const { return responses_.size() < response_room_; }
  void take_response(const MemoryRequest& response) {
    responses_.push(response);
    due_ = 0;
  }

  /// See pass_through(): by the texture cache if the instruction only reads, else by the L1 data cache.
  void pass(const simt::Instruction& instruction, const simt::MemoryAccess& access) {
    pass_through(access, instruction.read_only ? texture_ : l1d_, memory_);
  }

  /// Earliest cycle after `now` in which there is something to do; kNever if only responses can wake it.
  Cycle next_event(Cycle now) const { return std::max(due_, now + 1); }
  /// A launch ends: the next one may have written what the L1 data and the texture cache hold, so they are emptied.
  void end_kernel() {
    l1d_.invalidate();
    l1d_.end_kernel();
    constant_.end_kernel();
    texture_.invalidate();
    texture_.end_kernel();
    due_ = 0;
  }

  const memory::CacheStatistics& l1d() const { return l1d_.statistics(); }
  const memory::CacheStatistics& constant() const { return constant_.statistics(); }
  const memory::CacheStatistics& texture() const { return texture_.statistics(); }

 private:
  struct Timed {
    InFlightId id;
    Cycle ready;
  };
  /// An access on its way through the L1's latency.
  struct Queued {
    MemoryRequest request;
    bool local;
    Cycle ready;
  };

  void write_back_due(RegisterWritePort& registers, Cycle now);
  void cycle_due(Cycle now);
  Cycle next_due(Cycle now) const;
  void take_answer(InFlightId id, bool atomic);
  void pick_writeback(Cycle now);
  unsigned ready_clients(Cycle now) const;
  InFlightId take_result(unsigned client);
  void handle_response(Cycle now);
  void send_outgoing(memory::Cache& cache, Cycle now);
  void access_l1d(Cycle now);
  bool send_table_entry(Cycle now);
  bool dispatch(InFlight& record, Cycle now);
  bool dispatch_shared(InFlight& record, Cycle now);
  void send_read(memory::Cache& cache, InFlight& record, AccessKind kind, Cycle now);
  /// Apart, so that nobody pays who is not asked.
  [[gnu::noinline, gnu::cold]] void tell_of_miss(const InFlight& load, Cycle now);
  void send_global(InFlight& record, Cycle now);
  MemoryRequest request_of(const InFlight& record, InFlightId id, AccessKind kind) const;

  static constexpr unsigned kClients = 5;  // shared, texture, constant, atomics, L1D

  InFlightPool& pool_;
  memory::MemorySystem& memory_;
  WarpEvents& events_;
  report::LaunchListener* misses_ = nullptr;
  unsigned core_, response_room_, shared_latency_, l1d_latency_;
  memory::Cache l1d_, constant_, texture_;

  Cycle due_ = 0;  // nothing happens before
  InFlightId dispatch_ = kNoInFlight;
  bool waits_for_l1d_ = false;  // that instruction, for room in the L1's pipeline
  unsigned rounds_left_ = 0;
  InFlightId writing_ = kNoInFlight;  // what the writeback port holds
  bool writing_shared_ = false;
  unsigned cycles_of_writing_ = 0;  // still to come; 0 = it has not begun
  unsigned next_client_ = 0;
  memory::Ring<MemoryRequest> table_moves_;
  memory::Ring<Timed> shared_pipeline_;
  memory::Ring<Queued> l1d_queue_;
  memory::Ring<InFlightId> atomic_answers_;
  memory::Ring<MemoryRequest> responses_;
};

}  // namespace warpfork::gpu
