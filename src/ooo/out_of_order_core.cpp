#include "ooo/out_of_order_core.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace warpfork::ooo {

namespace {

constexpr std::uint64_t kNoAccess = ~std::uint64_t{0};

FrontSpec front_spec(const MachineSpec& machine) {
  const unsigned entries = machine.pipeline.path_entries;
  return {
      .warps = machine.warps,
      .path_entries = entries != 0 ? entries : std::max(8u, 2 * machine.threads),
      .queue = std::max(1u, machine.pipeline.fetch_buffer / machine.warps),
      .depth = machine.pipeline.front_end_depth,
      .divergence = machine.divergence_prediction ? FrontSpec::Divergence::Predicted : FrontSpec::Divergence::Never};
}

}  // namespace

struct OutOfOrderCore::Uop {
  const x86::Uop* operation = nullptr;      // null: cuop, threads that part at an event, merge
  std::uint64_t number = 0;                 // in the reorder buffer
  std::uint64_t order = 0;                  // age among all warps
  std::uint64_t instruction = 0;            // its number in the front end
  std::uint64_t access = kNoAccess;         // position of its addresses
  std::uint64_t store = StoreQueue::kNone;  // that a load waits for
  LaneMask lanes = 0;
  x86::UopKind kind = x86::UopKind::Nop;
  State state = State::Waiting;
  std::uint8_t pending = 0;  // operands, paths and stores that it waits for
  std::uint8_t renaming_count = 0;
  std::uint8_t bytes = 0;
  bool last = false, resolves = false, merge = false, free = false, atomic = false;
  PathId merge_path = kNoPath;
  std::array<Renaming, RenamedUop::kMaxDestinations> renamings{};
};

struct OutOfOrderCore::Warp {
  Warp(const MachineSpec& machine, std::span<ThreadWindow> threads, unsigned index, const x86::Code& code,
       Predictors& predictors, FreeList& free, Synchronisation& synchronisation)
      : front(front_spec(machine), threads, index * machine.threads, code, predictors, synchronisation),
        rename(find_rename_strategy(machine.rename).make(Pirat(front.paths(), free))),
        stores(front.addresses()),
        index(index) {}

  WarpFront front;
  std::unique_ptr<RenameStrategy> rename;
  StoreQueue stores;
  NumberedQueue<Uop> buffer;  // the reorder buffer
  unsigned index;
  // Where renaming is within the front end's next instruction.
  std::size_t uop = 0;
  std::uint32_t repeat = 0;
  std::uint64_t access = kNoAccess;
  std::vector<std::uint64_t> path_waiters, loads_waiting;  // in the reorder buffer
};

OutOfOrderCore::OutOfOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                               Synchronisation& synchronisation)
    : machine_(machine),
      free_(machine.pipeline.integer_registers, machine.pipeline.vector_registers),
      memory_(machine.memory, machine.threads),
      units_(machine.pipeline, machine.latency, machine.threads == 1),
      register_ready_(free_.registers(), 1),
      register_waiters_(free_.registers()) {
  for (unsigned warp = 0; warp < machine.warps; ++warp)
    warps_.push_back(std::make_unique<Warp>(machine_, threads.subspan(warp * machine.threads, machine.threads), warp,
                                            code, predictors_, free_, synchronisation));
}

OutOfOrderCore::~OutOfOrderCore() = default;

bool OutOfOrderCore::cycle() {
  bool busy = commit();
  busy |= complete();
  busy |= issue();
  busy |= rename();
  busy |= fetch();
  if (busy) {
    ++now_;
    return true;
  }
  if (std::ranges::all_of(warps_, [](const auto& warp) { return warp->front.finished(); })) return false;
  const Cycle next = next_event();
  if (next == kNever) throw Error("error: no thread can go on after {} cycles\n{}", now_, describe());
  now_ = next;
  return true;
}

/// When something can happen, if nothing can now.
Cycle OutOfOrderCore::next_event() const {
  Cycle next = completions_.empty() ? kNever : completions_.top().at;
  if (!ready_.empty()) next = std::min(next, units_.next_free(now_));
  for (const auto& warp : warps_)
    if (warp->front.next() < warp->front.in_flight().end()) {
      const Cycle decoded = warp->front.in_flight()[warp->front.next()].decoded;
      if (decoded > now_) next = std::min(next, decoded);
    }
  return next;
}

bool OutOfOrderCore::commit() {
  unsigned left = machine_.pipeline.commit_width;
  for (unsigned i = 0; i < warps_.size(); ++i) {
    Warp& warp = *warps_[(now_ + i) % warps_.size()];
    while (left != 0 && may_commit(warp)) {
      left -= !warp.buffer[warp.buffer.begin()].free;
      commit_one(warp);
    }
  }
  return left != machine_.pipeline.commit_width;
}

bool OutOfOrderCore::may_commit(const Warp& warp) const {
  return !warp.buffer.empty() && warp.buffer[warp.buffer.begin()].state == State::Done;
}

void OutOfOrderCore::commit_one(Warp& warp) {
  const std::uint64_t number = warp.buffer.begin();
  const Uop& uop = warp.buffer[number];
  tell_commit(warp, uop);
  for (unsigned i = 0; i < uop.renaming_count; ++i) warp.rename->table().commit(uop.renamings[i]);
  if (uop.merge_path != kNoPath) warp.front.paths().dereference(uop.merge_path);
  if (uop.access != kNoAccess) --load_store_queue_;
  if (uop.access != kNoAccess && uop.kind == x86::UopKind::Store) warp.stores.pop_oldest();
  counts_.uops += !uop.free;
  counts_.merges += uop.merge;
  reorder_buffer_ -= !uop.free;
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
  if (uop.access != kNoAccess && uop.kind == x86::UopKind::Store) wake_loads(warp, uop.number);
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
    --uop.pending;
    settle(warp, uop);
  }
  waiters.clear();
}

/// The store's data may be taken over. A load may need others', too.
void OutOfOrderCore::wake_loads(Warp& warp, std::uint64_t store) {
  warp.stores.executed(store);
  std::erase_if(warp.loads_waiting, [&](std::uint64_t number) {
    Uop& load = warp.buffer[number];
    if (load.store != store) return false;
    load.store = warp.stores.blocking(load.access, load.bytes, load.number);
    if (load.store != StoreQueue::kNone) return false;
    --load.pending;
    settle(warp, load);
    return true;
  });
}

/// Masks have become known.
void OutOfOrderCore::wake_paths(Warp& warp) {
  std::erase_if(warp.path_waiters, [&](std::uint64_t number) {
    Uop& uop = warp.buffer[number];
    const bool known =
        uop.merge ? warp.front.paths().resolved(uop.merge_path) : warp.front.may_resolve(uop.instruction);
    if (!known) return false;
    --uop.pending;
    settle(warp, uop);
    return true;
  });
}

/// Nothing that it waits for is left: it may issue.
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
    if ((left == 0 && !uop.free) || !may_issue(warp, uop)) {
      ready_[kept++] = entry;
      continue;
    }
    execute(warp, uop);
    any = true;
    left -= !uop.free;
  }
  ready_.resize(kept);
  return any;
}

bool OutOfOrderCore::may_issue(const Warp& warp, const Uop& uop) const {
  const bool alone = uop.kind == x86::UopKind::Serialize || uop.atomic;
  if (alone && warp.buffer[warp.buffer.begin()].order != uop.order) return false;
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
    done = uop.access == kNoAccess ? now_ + latency : access(warp, uop, busy);
    units_.occupy(FunctionalUnits::unit_of(uop.kind), now_, busy);
  }
  completions_.push({done, uop.order, uop.number, warp.index});
  tell([=, this, &uop](CoreListener& listener) { listener.issued(now_, uop.order, std::max(done, now_ + 1)); });
}

/// The cycle in which the µop is done; `busy` grows to the cycles that the cache needs.
Cycle OutOfOrderCore::access(Warp& warp, Uop& uop, unsigned& busy) {
  const AddressQueue& queue = warp.front.addresses();
  const LaneMask lanes = queue[uop.access];
  if (lanes == 0) return now_ + 1;
  addresses_.clear();
  for (std::uint64_t at = uop.access + 1; at < queue.behind(uop.access); ++at) addresses_.push_back(queue[at]);
  const bool store = uop.kind == x86::UopKind::Store;
  const DataMemory::Answer answer = memory_.access(addresses_, lanes, uop.bytes, store, now_);
  busy = std::max(busy, answer.slots);
  if (uop.atomic) busy += lane_count(lanes) - 1;  // threads that want the same line take turns
  return store ? now_ + machine_.latency.store : answer.ready + busy - answer.slots;
}

bool OutOfOrderCore::rename() {
  unsigned width = machine_.pipeline.rename_width;
  bool any = false;
  for (unsigned i = 0; i < warps_.size() && width != 0; ++i) {
    Warp& warp = *warps_[(now_ + i) % warps_.size()];
    warp.rename->begin_block();
    while (width != 0 && rename_one(warp, width)) any = true;
  }
  return any;
}

/// For one more µop; merges that turn out to be needed may go beyond, as nobody knows of them before renaming.
bool OutOfOrderCore::has_room(bool memory) const {
  const PipelineSpec& pipeline = machine_.pipeline;
  return reorder_buffer_ < pipeline.reorder_buffer && issue_queue_ < pipeline.issue_queue &&
         load_store_queue_ + memory <= pipeline.load_store_queue;
}

/// The next µop of the warp, with the merges that it needs. False if it must wait.
bool OutOfOrderCore::rename_one(Warp& warp, unsigned& width) {
  if (!warp.front.has_decoded(now_)) return false;
  const std::uint64_t number = warp.front.next();
  const Fetched& fetched = warp.front.in_flight()[number];
  const x86::Uop* const operation = fetched.instruction == nullptr ? nullptr : &fetched.instruction->uops[warp.uop];
  const bool memory = operation != nullptr && fetched.lanes != 0 &&
                      (operation->kind == x86::UopKind::Load || operation->kind == x86::UopKind::Store);
  if (!has_room(memory)) return false;
  RenamedUop renamed;
  if (operation != nullptr) {
    const RenameOutcome outcome = warp.rename->rename(operation->read(), operation->written(), fetched.path, renamed);
    counts_.merge_stalls += outcome == RenameOutcome::SeveralMerges;
    counts_.register_stalls += outcome == RenameOutcome::NoFreeRegister;
    if (outcome != RenameOutcome::Renamed) return false;
  }
  const bool free = warp.rename->merges_are_free();
  for (const Merge& merge : renamed.merges_before()) enter_merge(warp, merge, number, free);
  enter_operation(warp, number, operation, renamed, memory);
  for (const Merge& merge : renamed.merges_after()) enter_merge(warp, merge, number, free);
  const unsigned taken = 1 + (free ? 0u : renamed.merge_count + renamed.late_merge_count);
  width -= std::min(width, taken);
  go_on(warp, fetched);
  return true;
}

void OutOfOrderCore::go_on(Warp& warp, const Fetched& fetched) {
  const std::size_t uops = fetched.instruction == nullptr ? 1 : fetched.instruction->uops.size();
  if (++warp.uop < uops) return;
  warp.uop = 0;
  if (++warp.repeat < fetched.repeats) {
    if (fetched.lanes != 0)
      for (std::size_t i = 0; i < fetched.instruction->accesses.size(); ++i)
        warp.access = warp.front.addresses().behind(warp.access);
    return;
  }
  warp.repeat = 0;
  warp.access = kNoAccess;
  warp.buffer[warp.buffer.end() - 1].last = true;
  if (fetched.role == Role::DivergentBranch) warp.rename->table().divergence_predicted();
  warp.front.take();
}

OutOfOrderCore::Uop& OutOfOrderCore::enter(Warp& warp, std::uint64_t instruction, bool free) {
  Uop& uop = warp.buffer.push();
  uop = Uop{};
  uop.number = warp.buffer.end() - 1;
  uop.order = order_++;
  uop.instruction = instruction;
  uop.free = free;
  reorder_buffer_ += !free;
  issue_queue_ += !free;
  return uop;
}

void OutOfOrderCore::enter_merge(Warp& warp, const Merge& merge, std::uint64_t instruction, bool free) {
  Uop& uop = enter(warp, instruction, free);
  uop.merge = true;
  const bool vector = class_of(merge.renaming.architectural) == RegisterClass::Vector;
  uop.kind = vector ? x86::UopKind::VectorAlu : x86::UopKind::IntegerAlu;
  uop.renaming_count = 1;
  uop.renamings[0] = merge.renaming;
  register_ready_[merge.renaming.physical] = 0;
  wait_for(warp, uop, merge.main());
  wait_for(warp, uop, merge.leading());
  if (merge.path != kNoPath) {
    uop.merge_path = merge.path;
    warp.front.paths().reference(merge.path);
    if (!warp.front.paths().resolved(merge.path)) wait_for_path(warp, uop);
  }
  tell([=, this, &warp, &uop, &merge](CoreListener& listener) {
    listener.entered({now_, warp.index, instruction, uop.order, warp.front.in_flight()[instruction], nullptr, nullptr,
                      &merge, &warp.rename->table()});
  });
  settle(warp, uop);
}

void OutOfOrderCore::enter_operation(Warp& warp, std::uint64_t number, const x86::Uop* operation,
                                     const RenamedUop& renamed, bool memory) {
  const Fetched& fetched = warp.front.in_flight()[number];
  Uop& uop = enter(warp, number, false);
  uop.operation = operation;
  uop.kind = operation == nullptr ? x86::UopKind::Branch : operation->kind;
  uop.lanes = fetched.lanes;
  for (const PhysicalRegister source : renamed.read()) wait_for(warp, uop, source);
  for (const Renaming& renaming : renamed.written()) {
    uop.renamings[uop.renaming_count++] = renaming;
    register_ready_[renaming.physical] = 0;
  }
  const bool last =
      operation == nullptr || (warp.uop + 1 == fetched.instruction->uops.size() && warp.repeat + 1 == fetched.repeats);
  uop.resolves = last && fetched.role != Role::Plain;
  if (uop.resolves && !warp.front.may_resolve(number)) wait_for_path(warp, uop);
  if (memory) enter_access(warp, uop, fetched);
  tell([=, this, &warp, &uop, &fetched, &renamed](CoreListener& listener) {
    listener.entered(
        {now_, warp.index, number, uop.order, fetched, operation, &renamed, nullptr, &warp.rename->table()});
  });
  settle(warp, uop);
}

void OutOfOrderCore::enter_access(Warp& warp, Uop& uop, const Fetched& fetched) {
  const AddressQueue& addresses = warp.front.addresses();
  if (warp.access == kNoAccess) warp.access = fetched.addresses;
  uop.access = warp.access;
  for (unsigned i = 0; i < uop.operation->access; ++i) uop.access = addresses.behind(uop.access);
  uop.bytes = fetched.instruction->repeats ? kRepeatBytes : fetched.instruction->accesses[uop.operation->access].bytes;
  uop.atomic = fetched.instruction->atomic;
  ++load_store_queue_;
  if (uop.kind == x86::UopKind::Store) {
    warp.stores.push(uop.number, uop.access, uop.bytes);
    return;
  }
  uop.store = warp.stores.blocking(uop.access, uop.bytes);
  if (uop.store == StoreQueue::kNone) return;
  ++uop.pending;
  warp.loads_waiting.push_back(uop.number);
}

void OutOfOrderCore::wait_for(Warp& warp, Uop& uop, PhysicalRegister source) {
  if (register_ready_[source] != 0) return;
  ++uop.pending;
  register_waiters_[source].push_back({uop.order, uop.number, warp.index});
}

void OutOfOrderCore::wait_for_path(Warp& warp, Uop& uop) {
  ++uop.pending;
  warp.path_waiters.push_back(uop.number);
}

bool OutOfOrderCore::fetch() {
  for (unsigned i = 0; i < warps_.size(); ++i) {
    Warp& warp = *warps_[(now_ + i) % warps_.size()];
    const std::uint64_t begin = warp.front.in_flight().end();
    const bool any = warp.front.fetch(now_, machine_.pipeline.fetch_width) != 0;
    tell_fetched(warp.front, warp.index, begin, now_);
    if (any) return true;
  }
  return false;
}

/// The masks that a branch or cuop computes are known.
void OutOfOrderCore::resolve(Warp& warp, std::uint64_t instruction) {
  const WarpFront::Flush flush = warp.front.resolve(instruction);
  if (warp.front.in_flight()[instruction].role != Role::Branch)
    tell([=, this, &warp](CoreListener& listener) {
      listener.resolved(now_, warp.index, instruction, warp.front.paths());
    });
  if (flush != WarpFront::Flush::Nothing) {
    const std::uint64_t keep = instruction + (flush == WarpFront::Flush::Younger ? 1 : 0);
    while (warp.front.in_flight().end() > keep) undo(warp);
    warp.front.restart();
  }
  wake_paths(warp);
}

/// Takes the youngest instruction of the warp back, with all its µops.
void OutOfOrderCore::undo(Warp& warp) {
  const std::uint64_t instruction = warp.front.in_flight().end() - 1;
  tell([=, this, &warp](CoreListener& listener) { listener.flushed(now_, warp.index, instruction); });
  const bool divergence = warp.front.in_flight()[instruction].role == Role::DivergentBranch;
  if (instruction == warp.front.next()) {
    warp.uop = 0;
    warp.repeat = 0;
    warp.access = kNoAccess;
  }
  while (!warp.buffer.empty() && warp.buffer[warp.buffer.end() - 1].instruction == instruction) {
    const Uop& uop = warp.buffer[warp.buffer.end() - 1];
    if (uop.last && divergence) warp.rename->table().divergence_settled();
    for (unsigned i = uop.renaming_count; i-- > 0;) {
      warp.rename->table().undo(uop.renamings[i]);
      register_waiters_[uop.renamings[i].physical].clear();
      register_ready_[uop.renamings[i].physical] = 1;
    }
    if (uop.merge_path != kNoPath) warp.front.paths().dereference(uop.merge_path);
    if (uop.access != kNoAccess) --load_store_queue_;
    if (uop.access != kNoAccess && uop.kind == x86::UopKind::Store) warp.stores.pop_youngest();
    reorder_buffer_ -= !uop.free;
    if (uop.state == State::Waiting || uop.state == State::Ready) issue_queue_ -= !uop.free;
    ++counts_.flushed;
    std::erase(warp.path_waiters, uop.number);
    std::erase(warp.loads_waiting, uop.number);
    warp.buffer.drop_from(uop.number);
  }
  warp.front.undo();
}

void OutOfOrderCore::introduce(CoreListener& listener) const {
  for (const auto& warp : warps_) listener.started(warp->index, warp->front.paths(), &warp->rename->table());
}

void OutOfOrderCore::tell_commit(const Warp& warp, const Uop& uop) const {
  tell([this, &warp, &uop](CoreListener& listener) {
    const PathId path = uop.merge ? uop.merge_path : warp.front.in_flight()[uop.instruction].path;
    const LaneMask lanes = path == kNoPath ? 0 : warp.front.paths().mask(path);
    listener.committed({now_, warp.index, uop.order, lanes, &warp.rename->table()});
  });
}

CoreCounts OutOfOrderCore::counts() const {
  CoreCounts counts = counts_;
  counts.cycles = now_;
  counts.memory = memory_.counts();
  for (const auto& warp : warps_) counts.front += warp->front.counts();
  return counts;
}

std::string OutOfOrderCore::describe() const {
  std::string text;
  for (const auto& warp : warps_) text += fmt::format("warp {}\n{}", warp->index, warp->front.describe());
  return text;
}

}  // namespace warpfork::ooo
