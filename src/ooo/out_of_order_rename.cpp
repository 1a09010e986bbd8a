// OutOfOrderCore: renaming, and taking back what was renamed.
#include <algorithm>

#include "ooo/out_of_order_state.h"

namespace warpfork::ooo {

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
bool OutOfOrderCore::has_room(const Warp& warp, bool memory) const {
  const PipelineSpec& pipeline = machine_.pipeline;
  return (reorder_buffer_[warp.part] + 1) * reorder_buffer_.size() <= pipeline.reorder_buffer &&
         issue_queue_ < pipeline.issue_queue && load_store_queue_ + memory <= pipeline.load_store_queue;
}

/// The next µop of the warp, with the merges that it needs. False if it must wait.
bool OutOfOrderCore::rename_one(Warp& warp, unsigned& width) {
  if (!warp.front.in_flight().has_decoded(now_)) return false;
  const std::uint64_t number = warp.front.in_flight().next();
  const Fetched& fetched = warp.front.in_flight()[number];
  const x86::Uop* const operation = fetched.instruction == nullptr ? nullptr : &fetched.instruction->uops[warp.uop];
  const bool memory = operation != nullptr && fetched.lanes != 0 &&
                      (operation->kind == x86::UopKind::Load || operation->kind == x86::UopKind::Store);
  if (!has_room(warp, memory)) return false;
  renamed_.clear();
  if (operation != nullptr) {
    const RenameOutcome outcome = warp.rename->rename(operation->read(), operation->written(), fetched.path, renamed_);
    counts_.merge_stalls += outcome == RenameOutcome::SeveralMerges;
    counts_.register_stalls += outcome == RenameOutcome::NoFreeRegister;
    if (outcome != RenameOutcome::Renamed) return false;
  }
  const bool free = warp.rename->merges_are_free();
  for (const Merge& merge : renamed_.merges_before()) enter_merge(warp, merge, number, free);
  enter_operation(warp, number, operation, renamed_, memory);
  for (const Merge& merge : renamed_.merges_after()) enter_merge(warp, merge, number, free);
  const unsigned counted = operation == nullptr || takes_width(widths_, *fetched.instruction, warp.uop) ? 1 : 0;
  const unsigned taken = counted + (free ? 0u : renamed_.merge_count + renamed_.late_merge_count);
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
      warp.access = warp.front.in_flight().addresses().behind(warp.access, fetched.instruction->accesses.size());
    return;
  }
  warp.repeat = 0;
  warp.access = AddressQueue::kNone;
  warp.buffer[warp.buffer.end() - 1].last = true;
  if (fetched.role == Role::DivergentBranch) warp.rename->table().divergence_predicted();
  warp.front.take();
}

OutOfOrderCore::Uop& OutOfOrderCore::enter(Warp& warp, std::uint64_t instruction, bool free) {
  Uop& uop = warp.buffer.push_new();
  uop.number = warp.buffer.end() - 1;
  uop.order = order_++;
  uop.instruction = instruction;
  uop.free = free;
  uop.takes_width = !free;
  reorder_buffer_[warp.part] += !free;
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
  listeners_.tell([=, this, &warp, &uop, &merge](CoreListener& listener) {
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
  uop.takes_width = operation == nullptr || takes_width(widths_, *fetched.instruction, warp.uop);
  const bool shows_address = memory && operation->kind == x86::UopKind::Store && warp.stores.waits_for_addresses();
  unsigned addresses = shows_address ? operation->address_count : 0;
  for (const PhysicalRegister source : renamed.read()) {
    wait_for(warp, uop, source, addresses != 0);
    addresses -= addresses != 0;
  }
  for (const Renaming& renaming : renamed.written()) {
    uop.renamings[uop.renaming_count++] = renaming;
    register_ready_[renaming.physical] = 0;
  }
  const bool last =
      operation == nullptr || (warp.uop + 1 == fetched.instruction->uops.size() && warp.repeat + 1 == fetched.repeats);
  uop.resolves = last && fetched.role != Role::Plain;
  if (uop.resolves && !warp.front.resolution().may_resolve(number)) wait_for_path(warp, uop);
  if (memory) enter_access(warp, uop, fetched);
  listeners_.tell([=, this, &warp, &uop, &fetched, &renamed](CoreListener& listener) {
    listener.entered(
        {now_, warp.index, number, uop.order, fetched, operation, &renamed, nullptr, &warp.rename->table()});
  });
  settle(warp, uop);
}

void OutOfOrderCore::enter_access(Warp& warp, Uop& uop, const Fetched& fetched) {
  const AddressQueue& addresses = warp.front.in_flight().addresses();
  if (warp.access == AddressQueue::kNone) warp.access = fetched.addresses;
  uop.access = addresses.behind(warp.access, uop.operation->access);
  uop.bytes = static_cast<std::uint8_t>(access_bytes(*fetched.instruction, *uop.operation));
  uop.atomic = fetched.instruction->atomic;
  ++load_store_queue_;
  if (uop.kind == x86::UopKind::Store) {
    warp.stores.push(uop.number, uop.access, uop.bytes);
    if (uop.address_pending == 0) warp.stores.address_known(uop.number);
    return;
  }
  uop.store = warp.stores.blocking(uop.access, uop.bytes);
  if (uop.store == StoreQueue::kNone) return;
  ++uop.pending;
  warp.loads_waiting.push_back(uop.number);
}

void OutOfOrderCore::wait_for(Warp& warp, Uop& uop, PhysicalRegister source, bool address) {
  if (register_ready_[source] != 0) return;
  ++uop.pending;
  uop.address_pending += address;
  register_waiters_[source].push_back({uop.order, uop.number, warp.index, address});
}

void OutOfOrderCore::wait_for_path(Warp& warp, Uop& uop) {
  ++uop.pending;
  warp.path_waiters.push_back(uop.number);
}

/// Takes the youngest instruction of the warp back, with all its µops.
void OutOfOrderCore::undo(Warp& warp) {
  const std::uint64_t instruction = warp.front.in_flight().end() - 1;
  listeners_.tell([=, this, &warp](CoreListener& listener) { listener.flushed(now_, warp.index, instruction); });
  const bool divergence = warp.front.in_flight()[instruction].role == Role::DivergentBranch;
  if (instruction == warp.front.in_flight().next()) {
    warp.uop = 0;
    warp.repeat = 0;
    warp.access = AddressQueue::kNone;
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
    if (uop.access != AddressQueue::kNone) --load_store_queue_;
    if (uop.access != AddressQueue::kNone && uop.kind == x86::UopKind::Store) warp.stores.pop_youngest();
    reorder_buffer_[warp.part] -= !uop.free;
    if (uop.state == State::Waiting || uop.state == State::Ready) issue_queue_ -= !uop.free;
    ++counts_.flushed;
    std::erase(warp.path_waiters, uop.number);
    std::erase(warp.loads_waiting, uop.number);
    warp.buffer.drop_from(uop.number);
  }
  warp.front.resolution().undo();
}

}  // namespace warpfork::ooo
