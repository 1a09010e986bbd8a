#include "ooo/out_of_order_core.h"

#include <algorithm>

#include "ooo/out_of_order_state.h"

namespace warpfork::ooo {

namespace {

unsigned path_entries(const MachineSpec& machine) {
  const unsigned entries = machine.pipeline.path_entries;
  return entries != 0 ? entries : std::max(8u, 2 * machine.threads);
}

/// Enough: one for each µop in flight, and what FreeList asks for each warp.
unsigned flag_registers(const MachineSpec& machine) {
  return machine.pipeline.reorder_buffer + machine.warps * (2 * machine.threads + path_entries(machine));
}

FrontSpec front_spec(const MachineSpec& machine) {
  return {
      .warps = machine.warps,
      .path_entries = path_entries(machine),
      .queue = std::max(1u, machine.pipeline.fetch_buffer / machine.warps),
      .depth = machine.pipeline.front_end_depth,
      .in_uops = machine.widths == "uops",
      .divergence = machine.divergence_prediction ? FrontSpec::Divergence::Predicted : FrontSpec::Divergence::Never};
}

}  // namespace

OutOfOrderCore::OutOfOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                               Synchronisation& synchronisation)
    : Core(machine, machine.threads == 1, front_spec(machine), threads, code, synchronisation),
      free_(machine.pipeline.integer_registers, machine.pipeline.vector_registers, flag_registers(machine)),
      register_ready_(free_.registers(), 1),
      register_waiters_(free_.registers()),
      reorder_buffer_(is_partitioned(machine) ? machine.warps : 1) {
  for (unsigned warp = 0; warp < machine.warps; ++warp)
    warps_.push_back(std::make_unique<Warp>(machine_, warp, *fronts_[warp], free_));
}

OutOfOrderCore::~OutOfOrderCore() = default;

bool OutOfOrderCore::run_stages() {
  bool busy = commit();
  busy |= complete();
  busy |= issue();
  busy |= rename();
  return busy;
}

Cycle OutOfOrderCore::next_event() const {
  Cycle next = completions_.empty() ? kNever : completions_.top().at;
  if (!ready_.empty()) {
    next = std::min(next, units_.next_free(now_));
    if (const Cycle at = store_may_issue_at(); at > now_) next = std::min(next, at);
  }
  for (const auto& warp : warps_)
    if (warp->front.in_flight().next() < warp->front.in_flight().end()) {
      const Cycle decoded = warp->front.in_flight()[warp->front.in_flight().next()].decoded;
      if (decoded > now_) next = std::min(next, decoded);
    }
  return next;
}

CycleCause OutOfOrderCore::cause_of(unsigned index) const {
  const Warp& warp = *warps_[index];
  if (warp.front.finished()) return CycleCause::Ended;
  if (warp.committed_at == now_) return CycleCause::Busy;
  if (!warp.buffer.empty()) {
    const Uop& oldest = warp.buffer[warp.buffer.begin()];
    if (oldest.state == State::Ready || (commit_is_full_ && may_commit(warp))) return CycleCause::Width;
    const bool accesses = oldest.state != State::Waiting && oldest.access != AddressQueue::kNone;
    return accesses ? CycleCause::Memory : CycleCause::Latency;
  }
  if (warp.front.in_flight().has_decoded(now_)) return CycleCause::Rename;
  const bool decodes = warp.front.in_flight().next() < warp.front.in_flight().end();
  return !decodes && warp.front.waits_for_others() ? CycleCause::Waiting : CycleCause::FrontEnd;
}

bool OutOfOrderCore::commit() {
  unsigned left = machine_.pipeline.commit_width;
  bool any = false;
  for (unsigned i = 0; i < warps_.size(); ++i) {
    Warp& warp = *warps_[(now_ + i) % warps_.size()];
    while (left != 0 && may_commit(warp)) {
      left -= warp.buffer[warp.buffer.begin()].takes_width;
      commit_one(warp);
      any = true;
    }
  }
  commit_is_full_ = left == 0;
  return any;
}

/// A branch's lanes may turn out to leave for several places; then it is fetched again, and none of its µops may have
/// committed. Others with a role, as a rep that goes on, may have more µops than fit into the reorder buffer.
bool OutOfOrderCore::may_commit(const Warp& warp) const {
  if (warp.buffer.empty()) return false;
  const Uop& oldest = warp.buffer[warp.buffer.begin()];
  if (oldest.state != State::Done) return false;
  const Fetched& fetched = warp.front.in_flight()[oldest.instruction];
  const bool is_branch = fetched.instruction != nullptr && fetched.instruction->branch != x86::BranchKind::None;
  return fetched.role == Role::Plain || !is_branch || fetched.resolved;
}

void OutOfOrderCore::commit_one(Warp& warp) {
  const std::uint64_t number = warp.buffer.begin();
  const Uop& uop = warp.buffer[number];
  tell_commit(warp, uop);
  warp.committed_at = now_;
  for (unsigned i = 0; i < uop.renaming_count; ++i) warp.rename->table().commit(uop.renamings[i]);
  if (uop.merge_path != kNoPath) warp.front.paths().dereference(uop.merge_path);
  if (uop.access != AddressQueue::kNone) --load_store_queue_;
  if (uop.access != AddressQueue::kNone && uop.kind == x86::UopKind::Store) warp.stores.pop_oldest();
  counts_.uops += !uop.free;
  counts_.merges += uop.merge;
  reorder_buffer_[warp.part] -= !uop.free;
  if (uop.last) {
    const bool divergence = warp.front.in_flight()[uop.instruction].role == Role::DivergentBranch;
    warp.front.commit();
    if (divergence) warp.rename->table().divergence_settled();
  }
  warp.buffer.drop_before(number + 1);
}

bool OutOfOrderCore::complete() {
  bool any = false;
  while (!completions_.empty() && completions_.top().at <= now_) {
    const Completion done = completions_.top();
    completions_.pop();
    Warp& warp = *warps_[done.warp];
    if (done.number >= warp.buffer.end() || warp.buffer[done.number].order != done.order) continue;  // flushed
    any = true;
    finish(warp, warp.buffer[done.number]);
  }
  return any;
}

/// The µop has its result.
void OutOfOrderCore::finish(Warp& warp, Uop& uop) {
  uop.state = State::Done;
  if (uop.access != AddressQueue::kNone && uop.kind == x86::UopKind::Store) {
    warp.stores.executed(uop.number);
    wake_loads(warp, uop.number);
  }
  for (unsigned i = 0; i < uop.renaming_count; ++i) wake(uop.renamings[i].physical);
  if (uop.resolves) resolve(warp, uop.instruction);
}

void OutOfOrderCore::wake(PhysicalRegister physical) {
  register_ready_[physical] = 1;
  std::vector<Waiter>& waiters = register_waiters_[physical];
  for (const Waiter& waiter : waiters) {
    Warp& warp = *warps_[waiter.warp];
    if (waiter.number >= warp.buffer.end()) continue;
    Uop& uop = warp.buffer[waiter.number];
    if (uop.order != waiter.order) continue;  // flushed
    if (waiter.address && --uop.address_pending == 0) {
      warp.stores.address_known(uop.number);
      wake_loads(warp, uop.number);
    }
    stop_waiting(warp, uop, WaitCause::Operand);
  }
  waiters.clear();
}

/// The store holds nobody up any more, or less. A load may wait for another one then.
void OutOfOrderCore::wake_loads(Warp& warp, std::uint64_t store) {
  std::erase_if(warp.loads_waiting, [&](std::uint64_t number) {
    Uop& load = warp.buffer[number];
    if (load.store != store) return false;
    load.store = warp.stores.blocking(load.access, load.bytes, load.number);
    if (load.store != StoreQueue::kNone) return false;
    stop_waiting(warp, load, WaitCause::Store);
    return true;
  });
}

/// Masks have become known.
void OutOfOrderCore::wake_paths(Warp& warp) {
  std::erase_if(warp.path_waiters, [&](std::uint64_t number) {
    Uop& uop = warp.buffer[number];
    const bool known =
        uop.merge ? warp.front.paths().resolved(uop.merge_path) : warp.front.resolution().may_resolve(uop.instruction);
    if (!known) return false;
    stop_waiting(warp, uop, WaitCause::Mask);
    return true;
  });
}

/// One thing less.
void OutOfOrderCore::stop_waiting(Warp& warp, Uop& uop, WaitCause cause) {
  --uop.pending;
  uop.waited = cause;
  settle(warp, uop);
}

/// If nothing that it waits for is left, it may issue.
void OutOfOrderCore::settle(Warp& warp, Uop& uop) {
  if (uop.pending != 0) return;
  uop.state = State::Ready;
  const Ready entry{uop.order, uop.number, warp.index};
  ready_.insert(std::upper_bound(ready_.begin(), ready_.end(), entry), entry);
}

bool OutOfOrderCore::issue() {
  unsigned left = machine_.pipeline.issue_width;
  std::size_t kept = 0;
  bool any = false;
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    const Ready entry = ready_[i];
    Warp& warp = *warps_[entry.warp];
    if (entry.number >= warp.buffer.end() || warp.buffer[entry.number].order != entry.order) continue;  // flushed
    Uop& uop = warp.buffer[entry.number];
    if ((left == 0 && uop.takes_width) || !may_issue(warp, uop)) {
      uop.waited = is_alone(uop) ? WaitCause::Turn : WaitCause::Unit;
      ready_[kept++] = entry;
      continue;
    }
    execute(warp, uop);
    any = true;
    left -= uop.takes_width;
  }
  ready_.resize(kept);
  return any;
}

/// It issues when it is the oldest of its warp.
bool OutOfOrderCore::is_alone(const Uop& uop) { return uop.kind == x86::UopKind::Serialize || uop.atomic; }

bool OutOfOrderCore::may_issue(const Warp& warp, const Uop& uop) const {
  if (is_alone(uop) && warp.buffer[warp.buffer.begin()].instruction != uop.instruction) return false;
  if (uop.kind == x86::UopKind::Store && uop.access != AddressQueue::kNone && store_may_issue_at() > now_) return false;
  return uop.free || units_.free(FunctionalUnits::unit_of(uop.kind), now_);
}

void OutOfOrderCore::execute(Warp& warp, Uop& uop) {
  uop.state = State::Executing;
  Cycle done = now_;
  if (!uop.free) {
    --issue_queue_;
    ++counts_.issued;
    const x86::UopWidth width = uop.operation == nullptr ? x86::UopWidth::Scalar : uop.operation->width;
    const FunctionalUnits::Timing timing = units_.timing(uop.kind, width, uop.lanes);
    unsigned busy = timing.busy;
    const unsigned latency = uop.operation == nullptr ? machine_.latency.merge : timing.latency;
    count_operations(warp, uop);
    done = uop.access == AddressQueue::kNone ? now_ + latency
                                             : access(warp.front.in_flight().addresses(), uop.access, uop.bytes,
                                                      uop.kind == x86::UopKind::Store, uop.atomic, busy);
    units_.occupy(FunctionalUnits::unit_of(uop.kind), now_, busy);
  }
  completions_.push({done, uop.order, uop.number, warp.index});
  listeners_.tell([=, this, &uop](CoreListener& listener) {
    listener.issued({now_, uop.order, std::max(done, now_ + 1), uop.waited});
  });
}

/// A merge moves 64 bits of each lane, as much as its one cycle on a unit allows; a µop of paths computes one mask.
void OutOfOrderCore::count_operations(const Warp& warp, const Uop& uop) {
  if (uop.merge) {
    counts_.operations.add(uop.kind, x86::UopWidth::Scalar, machine_.threads);
  } else if (uop.operation == nullptr) {
    counts_.operations.add(uop.kind, x86::UopWidth::Scalar, 1);
  } else {
    const LaneMask lanes =
        uop.lanes != 0 ? uop.lanes : warp.front.paths().mask(warp.front.in_flight()[uop.instruction].path);
    counts_.operations.add(uop.kind, uop.operation->width, lane_count(lanes));
  }
}

/// The masks that a branch or cuop computes are known.
void OutOfOrderCore::resolve(Warp& warp, std::uint64_t instruction) {
  const Flush flush = warp.front.resolution().resolve(instruction);
  tell_resolved(warp.index, instruction);
  if (flush != Flush::Nothing) {
    const std::uint64_t keep = instruction + (flush == Flush::Younger ? 1 : 0);
    while (warp.front.in_flight().end() > keep) undo(warp);
    warp.front.resolution().restart();
  }
  wake_paths(warp);
}

void OutOfOrderCore::introduce(CoreListener& listener) const {
  for (const auto& warp : warps_) listener.started(warp->index, warp->front.paths(), &warp->rename->table());
}

void OutOfOrderCore::tell_commit(const Warp& warp, const Uop& uop) const {
  listeners_.tell([this, &warp, &uop](CoreListener& listener) {
    const PathId path = uop.merge ? uop.merge_path : warp.front.in_flight()[uop.instruction].path;
    const LaneMask lanes = path == kNoPath ? 0 : warp.front.paths().mask(path);
    listener.committed({now_, warp.index, uop.order, lanes, &warp.rename->table()});
  });
}

}  // namespace warpfork::ooo
