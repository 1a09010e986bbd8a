#include "gpu/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace warpfork::gpu {

using simt::InstructionKind;
using simt::MemorySpace;

LoadStoreUnit::LoadStoreUnit(const CoreSpec& spec, unsigned core, InFlightPool& pool, memory::MemorySystem& memory,
                             WarpEvents& events)
    : pool_(pool),
      memory_(memory),
      events_(events),
      core_(core),
      response_room_(spec.response_queue),
      shared_latency_(spec.shared.latency),
      l1d_latency_(spec.l1d.hit_latency),
      l1d_(spec.l1d, "core.l1d"),
      constant_(spec.constant, "core.constant"),
      texture_(spec.texture, "core.texture") {}

void LoadStoreUnit::accept(InFlightId id) {
  dispatch_ = id;
  rounds_left_ = pool_[id].rounds;
  waits_for_l1d_ = false;
  due_ = 0;
}

void LoadStoreUnit::write_back_due(RegisterWritePort& registers, Cycle now) {
  if (writing_ != kNoInFlight) {
    if (cycles_of_writing_ == 0) cycles_of_writing_ = registers.write(pool_[writing_], true);
    if (cycles_of_writing_ == 0 || --cycles_of_writing_ != 0) return;
    const InFlightId id = writing_;
    writing_ = kNoInFlight;
    if (writing_shared_) {
      events_.completed(pool_[id]);
      pool_.release(id);
    } else {
      take_answer(id, pool_[id].instruction->kind == InstructionKind::Atomic);
    }
  }
  pick_writeback(now);
}

/// One of the instruction's transactions is done; after the last one its registers are free.
void LoadStoreUnit::take_answer(InFlightId id, bool atomic) {
  InFlight& record = pool_[id];
  if (--record.outstanding != 0) return;
  if (atomic) events_.atomic_done(record.warp);
  if (id == dispatch_) return;  // dispatch() sees that nothing is outstanding
  events_.written_back(record);
  pool_.release(id);
}

/// Of those with a result the clients come in turn.
void LoadStoreUnit::pick_writeback(Cycle now) {
  const unsigned ready = ready_clients(now);
  if (ready == 0) return;
  const unsigned from_next = ready >> next_client_ << next_client_;
  const auto client = static_cast<unsigned>(std::countr_zero(from_next != 0 ? from_next : ready));
  writing_shared_ = client == 0;
  writing_ = take_result(client);
  next_client_ = (client + 1) % kClients;
}

/// A bit each.
unsigned LoadStoreUnit::ready_clients(Cycle now) const {
  const bool shared = !shared_pipeline_.empty() && shared_pipeline_.front().ready <= now;
  return unsigned{shared} | unsigned{texture_.has_ready()} << 1 | unsigned{constant_.has_ready()} << 2 |
         unsigned{!atomic_answers_.empty()} << 3 | unsigned{l1d_.has_ready()} << 4;
}

InFlightId LoadStoreUnit::take_result(unsigned client) {
  InFlightId id;
  switch (client) {
    case 0:
      id = shared_pipeline_.front().id;
      shared_pipeline_.pop();
      return id;
    case 1:
      return texture_.pop_ready();
    case 2:
      return constant_.pop_ready();
    case 3:
      id = atomic_answers_.front();
      atomic_answers_.pop();
      return id;
    default:
      return l1d_.pop_ready();
  }
}

void LoadStoreUnit::cycle_due(Cycle now) {
  if (!responses_.empty()) handle_response(now);
  if (texture_.outgoing() != nullptr) send_outgoing(texture_, now);
  if (constant_.outgoing() != nullptr) send_outgoing(constant_, now);
  if (l1d_.outgoing() != nullptr) send_outgoing(l1d_, now);
  if (!l1d_queue_.empty() && l1d_queue_.front().ready <= now) access_l1d(now);
  if (!table_moves_.empty() && send_table_entry(now)) return;
  if (dispatch_ == kNoInFlight) return;
  const InFlightId id = dispatch_;
  if (!dispatch(pool_[id], now)) return;
  dispatch_ = kNoInFlight;
}

void LoadStoreUnit::handle_response(Cycle now) {
  const MemoryRequest response = responses_.front();
  responses_.pop();
  switch (response.kind) {
    case AccessKind::Constant:
      constant_.fill(response.address, now);
      return;
    case AccessKind::Texture:
      texture_.fill(response.address, now);
      return;
    case AccessKind::Store:
      events_.store_acknowledged(response.token);
      return;
    case AccessKind::Atomic:
      atomic_answers_.push(response.token);
      return;
    default:
      l1d_.fill(response.address, now);
  }
}

void LoadStoreUnit::send_outgoing(memory::Cache& cache, Cycle now) {
  const MemoryRequest& request = *cache.outgoing();
  if (!memory_.can_inject(core_, memory::MemorySystem::data_bytes(request), now)) return;
  memory_.inject(request, now);
  cache.pop_outgoing();
}

void LoadStoreUnit::access_l1d(Cycle now) {
  const Queued& head = l1d_queue_.front();
  const memory::Cache::Outcome outcome = l1d_.access(head.request, now, head.local);
  if (outcome == memory::Cache::Outcome::ReservationFailed) return;
  if (outcome == memory::Cache::Outcome::Hit) {
    if (head.request.kind == AccessKind::Store)
      events_.store_acknowledged(head.request.token);
    else
      take_answer(head.request.token, false);
  } else if (misses_ != nullptr && head.request.kind == AccessKind::Load) {
    tell_of_miss(pool_[head.request.token], now);
  }
  l1d_queue_.pop();
}

/// One access enters the L1's pipeline a cycle.
bool LoadStoreUnit::send_table_entry(Cycle now) {
  if (l1d_queue_.size() >= l1d_latency_) return false;
  l1d_queue_.push({table_moves_.front(), true, now + l1d_latency_});
  table_moves_.pop();
  return true;
}

/// True when the instruction has left the unit's entry.
bool LoadStoreUnit::dispatch(InFlight& record, Cycle now) {
  switch (record.space) {
    case MemorySpace::Shared:
      return dispatch_shared(record, now);
    case MemorySpace::Const:
    case MemorySpace::Param:
      send_read(constant_, record, AccessKind::Constant, now);
      break;
    default:
      if (record.instruction->read_only)
        send_read(texture_, record, AccessKind::Texture, now);
      else
        send_global(record, now);
  }
  if (record.sent < record.transactions) return false;
  const InFlightId id = dispatch_;
  events_.left_pipeline(record.warp);
  if (record.outstanding == 0) {
    events_.written_back(record);
    pool_.release(id);
  }
  return true;
}

bool LoadStoreUnit::dispatch_shared(InFlight& record, Cycle now) {
  if (rounds_left_ > 0) --rounds_left_;
  if (rounds_left_ > 0) return false;
  if (record.instruction->kind == InstructionKind::Store) {
    events_.completed(record);
    pool_.release(dispatch_);
    return true;
  }
  if (shared_pipeline_.size() >= shared_latency_) return false;
  shared_pipeline_.push({dispatch_, now + shared_latency_});
  return true;
}

MemoryRequest LoadStoreUnit::request_of(const InFlight& record, InFlightId id, AccessKind kind) const {
  const Transaction& transaction = record.extra->transaction[record.sent];
  const std::uint32_t token = kind == AccessKind::Store ? record.warp : id;
  return {transaction.address, transaction.bytes, kind, static_cast<std::uint16_t>(core_), token};
}

void LoadStoreUnit::send_read(memory::Cache& cache, InFlight& record, AccessKind kind, Cycle now) {
  if (record.sent == record.transactions) return;
  const auto outcome = cache.access(request_of(record, dispatch_, kind), now);
  if (outcome == memory::Cache::Outcome::ReservationFailed) return;
  ++record.sent;
  if (outcome == memory::Cache::Outcome::Hit)
    --record.outstanding;
  else if (misses_ != nullptr)
    tell_of_miss(record, now);
}

void LoadStoreUnit::tell_of_miss(const InFlight& load, Cycle now) { misses_->missed({now, core_, load.warp}, load); }

void LoadStoreUnit::send_global(InFlight& record, Cycle now) {
  if (record.sent == record.transactions) return;
  if (record.instruction->kind == InstructionKind::Atomic) {
    const MemoryRequest request = request_of(record, dispatch_, AccessKind::Atomic);
    if (!memory_.can_inject(core_, memory::MemorySystem::data_bytes(request), now)) return;
    memory_.inject(request, now);
    ++record.sent;
    return;
  }
  waits_for_l1d_ = l1d_queue_.size() >= l1d_latency_;
  if (waits_for_l1d_) return;
  const bool store = record.instruction->kind == InstructionKind::Store;
  l1d_queue_.push({request_of(record, dispatch_, store ? AccessKind::Store : AccessKind::Load),
                   record.space == MemorySpace::Local, now + l1d_latency_});
  ++record.sent;
}

Cycle LoadStoreUnit::next_due(Cycle now) const {
  // The L1's oldest access may be refused until a line leaves or arrives.
  const auto is_l1d_stuck = [this] { return l1d_.refuses(l1d_queue_.front().request); };
  if ((dispatch_ != kNoInFlight && !(waits_for_l1d_ && is_l1d_stuck())) || !table_moves_.empty() ||
      writing_ != kNoInFlight || !responses_.empty() || !atomic_answers_.empty() || constant_.has_ready() ||
      texture_.has_ready() || l1d_.has_ready() || constant_.outgoing() != nullptr || texture_.outgoing() != nullptr ||
      l1d_.outgoing() != nullptr)
    return now + 1;
  Cycle next = kNever;
  if (!shared_pipeline_.empty()) next = std::min(next, shared_pipeline_.front().ready);
  if (!l1d_queue_.empty() && !is_l1d_stuck()) next = std::min(next, l1d_queue_.front().ready);
  return std::max(next, now + 1);
}

}  // namespace warpfork::gpu
