#include "ooo/out_of_order_core.h"

#include <algorithm>

#include "ooo/warp_front.h"

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

FrontSpec out_of_order_front(const MachineSpec& machine) {
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
    : Core(machine, machine.threads == 1, out_of_order_front(machine), threads, code, synchronisation),
      free_(machine.pipeline.integer_registers, machine.pipeline.vector_registers, flag_registers(machine)),
      buffer_(machine.warps, machine.pipeline.reorder_buffer, is_partitioned(machine) ? machine.warps : 1),
      issue_queue_(machine.pipeline.issue_queue, free_.registers(), machine.warps, buffer_),
      load_store_queue_(machine.pipeline.load_store_queue,
                        chosen(kDisambiguations, machine.disambiguation, "disambiguation"), buffer_, issue_queue_),
      rename_(machine, widths_, fronts_, free_, buffer_, issue_queue_, load_store_queue_, listeners_),
      committed_at_(machine.warps, kNever) {
  for (const auto& front : fronts_) load_store_queue_.add_warp(front->in_flight().addresses());
}

bool OutOfOrderCore::run_stages() {
  bool busy = commit();
  busy |= complete();
  busy |= issue();
  busy |= rename_.cycle(now_, live_, turns_);
  return busy;
}

Cycle OutOfOrderCore::next_event() const {
  Cycle next = completions_.next();
  if (issue_queue_.may_select()) {
    next = std::min(next, units_.next_free(now_));
    if (const Cycle at = store_may_issue_at(); at > now_) next = std::min(next, at);
  }
  for (const auto& front : fronts_) {
    const InstructionWindow& window = front->in_flight();
    if (window.next() < window.end() && window[window.next()].decoded > now_)
      next = std::min(next, window[window.next()].decoded);
  }
  return next;
}

void OutOfOrderCore::count_causes(Cycle cycles) {
  live_.for_each([&](unsigned warp) { counts_.warp_cycles[static_cast<unsigned>(cause_of(warp))] += cycles; });
}

inline CycleCause OutOfOrderCore::cause_of(unsigned warp) const {
  const WarpFront& front = *fronts_[warp];
  if (front.finished()) return CycleCause::Ended;
  if (committed_at_[warp] == now_) return CycleCause::Busy;
  if (!buffer_.empty(warp)) {
    const UopInFlight& oldest = buffer_.oldest(warp);
    if (oldest.state == UopInFlight::State::Ready || (commit_is_full_ && may_commit(oldest))) return CycleCause::Width;
    const bool accesses = oldest.state != UopInFlight::State::Waiting && oldest.accesses_memory();
    return accesses ? CycleCause::Memory : CycleCause::Latency;
  }
  const InstructionWindow& window = front.in_flight();
  if (window.has_decoded(now_)) return CycleCause::Rename;
  const bool decodes = window.next() < window.end();
  return !decodes && front.waits_for_others() ? CycleCause::Waiting : CycleCause::FrontEnd;
}

[[gnu::flatten]] bool OutOfOrderCore::commit() {
  unsigned left = machine_.pipeline.commit_width;
  bool any = false;
  turns_.visit(done_, [&](unsigned warp) {
    while (left != 0 && !buffer_.empty(warp)) {
      const UopInFlight& oldest = buffer_.oldest(warp);
      if (!may_commit(oldest)) break;
      left -= oldest.takes_width;
      commit_one(oldest);
      any = true;
    }
    if (left != 0) done_.erase(warp);  // more commits when another of its µops is done
    return left != 0;
  });
  commit_is_full_ = left == 0;
  return any;
}

/// A branch's lanes may turn out to leave for several places; then it is fetched again, and none of its µops may have
/// committed. Others with a role, as a rep that goes on, may have more µops than fit into the reorder buffer.
bool OutOfOrderCore::may_commit(const UopInFlight& oldest) const {
  if (oldest.state != UopInFlight::State::Done) return false;
  return !oldest.branches || fronts_[oldest.warp]->in_flight()[oldest.instruction].resolved;
}

void OutOfOrderCore::commit_one(const UopInFlight& uop) {
  const unsigned warp = uop.warp;
  tell_commit(uop);
  committed_at_[warp] = now_;
  rename_.commit(uop);
  if (uop.accesses_memory()) load_store_queue_.commit(uop);
  counts_.uops += !uop.free;
  counts_.merges += uop.merge;
  if (uop.last) commit_oldest(warp);
  buffer_.drop_oldest(warp);
}

[[gnu::flatten]] bool OutOfOrderCore::complete() {
  bool any = false;
  completions_.pop_done(now_, [&](const UopId& done) {
    UopInFlight* const uop = buffer_.find(done);
    if (uop == nullptr) return;  // flushed
    finish(*uop);
    any = true;
  });
  return any;
}

/// The µop has its result.
void OutOfOrderCore::finish(UopInFlight& uop) {
  uop.state = UopInFlight::State::Done;
  done_.insert(uop.warp);
  if (uop.is_store()) load_store_queue_.executed(uop);
  for (unsigned i = 0; i < uop.renaming_count; ++i)
    issue_queue_.wake(uop.renamings[i].physical,
                      [this](const UopInFlight& store) { load_store_queue_.address_known(store); });
  if (uop.resolves) resolve(uop.warp, uop.instruction);
}

/// The masks that a branch or cuop computes are known.
void OutOfOrderCore::resolve(unsigned warp, std::uint64_t instruction) {
  WarpFront& front = *fronts_[warp];
  const Flush flush = front.resolution().resolve(instruction);
  tell_resolved(warp, instruction);
  if (flush != Flush::Nothing) {
    const std::uint64_t keep = instruction + (flush == Flush::Younger ? 1 : 0);
    while (front.in_flight().end() > keep) flush_youngest(warp);
    front.resolution().restart();
  }
  issue_queue_.wake_masks(warp, [&front](const UopInFlight& uop) {
    return uop.merge ? front.paths().resolved(uop.merge_path) : front.resolution().may_resolve(uop.instruction);
  });
}

/// Takes the youngest instruction of the warp back, with all its µops.
void OutOfOrderCore::flush_youngest(unsigned warp) {
  const std::uint64_t instruction = fronts_[warp]->in_flight().end() - 1;
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this](CoreListener& listener) { listener.flushed(now_, warp, instruction); });
  rename_.restart(warp, instruction);
  while (!buffer_.empty(warp) && buffer_.youngest(warp).instruction == instruction) {
    const UopInFlight& uop = buffer_.youngest(warp);
    rename_.flush(uop);
    if (uop.accesses_memory()) load_store_queue_.flush(uop);
    issue_queue_.flush(uop);
    ++counts_.flushed;
    buffer_.drop_youngest(warp);
  }
  fronts_[warp]->resolution().undo();
}

[[gnu::flatten]] bool OutOfOrderCore::issue() {
  const auto free = [this](Unit unit) { return units_.free(unit, now_); };
  return issue_queue_.select(machine_.pipeline.issue_width, free, [this](UopInFlight& uop) {
    if (!may_issue(uop)) return false;
    execute(uop);
    return true;
  });
}

/// Its unit is free.
bool OutOfOrderCore::may_issue(const UopInFlight& uop) const {
  if (uop.issues_alone() && buffer_.oldest(uop.warp).instruction != uop.instruction) return false;
  return !uop.is_store() || store_may_issue_at() <= now_;
}

void OutOfOrderCore::execute(UopInFlight& uop) {
  uop.state = UopInFlight::State::Executing;
  const Cycle done = uop.free ? now_ : occupy_unit(uop);
  completions_.push(done, uop.id());
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this, &uop](CoreListener& listener) {
      listener.issued({now_, uop.order, std::max(done, now_ + 1), uop.waited});
    });
}

/// Returns when the µop has its result.
Cycle OutOfOrderCore::occupy_unit(const UopInFlight& uop) {
  ++counts_.issued;
  count_operations(uop);
  const x86::UopWidth width = uop.operation == nullptr ? x86::UopWidth::Scalar : uop.operation->width;
  const FunctionalUnits::Timing timing = units_.timing(uop.kind, width, uop.lanes);
  unsigned busy = timing.busy;
  Cycle done = now_ + (uop.operation == nullptr ? machine_.latency.merge : timing.latency);
  if (uop.accesses_memory())
    done = access(fronts_[uop.warp]->in_flight().addresses(), uop.access, uop.bytes, uop.kind == x86::UopKind::Store,
                  uop.atomic, busy);
  units_.occupy(FunctionalUnits::unit_of(uop.kind), now_, busy);
  return done;
}

/// A merge moves 64 bits of each lane, as much as its one cycle on a unit allows; a µop of paths computes one mask.
void OutOfOrderCore::count_operations(const UopInFlight& uop) {
  if (uop.lanes != 0 && uop.operation != nullptr) {
    operations_.add(uop.kind, uop.operation->width, lane_count(uop.lanes));
  } else if (uop.merge) {
    operations_.add(uop.kind, x86::UopWidth::Scalar, machine_.threads);
  } else if (uop.operation == nullptr) {
    operations_.add(uop.kind, x86::UopWidth::Scalar, 1);
  } else {
    const WarpFront& front = *fronts_[uop.warp];
    const LaneMask lanes = front.paths().mask(front.in_flight()[uop.instruction].path);
    operations_.add(uop.kind, uop.operation->width, lane_count(lanes));
  }
}

CoreCounts OutOfOrderCore::counts() const {
  CoreCounts counts = Core::counts();
  counts.stalls = rename_.stalls();
  return counts;
}

void OutOfOrderCore::introduce(CoreListener& listener) const {
  for (unsigned warp = 0; warp < fronts_.size(); ++warp)
    listener.started(warp, fronts_[warp]->paths(), &rename_.table(warp));
}

void OutOfOrderCore::tell_commit(const UopInFlight& uop) const {
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([this, &uop](CoreListener& listener) {
      const WarpFront& front = *fronts_[uop.warp];
      const PathId path = uop.merge ? uop.merge_path : front.in_flight()[uop.instruction].path;
      const LaneMask lanes = path == kNoPath ? 0 : front.paths().mask(path);
      listener.committed({now_, uop.warp, uop.order, lanes, &rename_.table(uop.warp)});
    });
}

}  // namespace warpfork::ooo
