#include "ooo/rename_stage.h"

#include <algorithm>
#include <limits>

#include "ooo/rename/registry.h"

namespace warpfork::ooo {

RenameStage::RenameStage(const MachineSpec& machine, WidthUnit widths,
                         std::span<const std::unique_ptr<WarpFront>> fronts, FreeList& free, ReorderBuffer& buffer,
                         IssueQueue& issue_queue, LoadStoreQueue& load_store_queue, const CoreListeners& listeners)
    : pipeline_(machine.pipeline),
      widths_(widths),
      buffer_(buffer),
      issue_queue_(issue_queue),
      load_store_queue_(load_store_queue),
      listeners_(listeners),
      branches_may_fill_buffer_(!is_partitioned(machine) && buffer.entries() < kLongestBranch * fronts.size()) {
  const auto make = find_rename_strategy(machine.rename).make;
  for (const auto& front : fronts)
    warps_.push_back({*front, make(Pirat(front->paths(), free)), static_cast<unsigned>(warps_.size())});
  merges_are_free_ = warps_.front().strategy->merges_are_free();
}

/// Flattened, as are the other stages, but for what only some µops need: a call costs as much as what most of the
/// called do.
[[gnu::flatten]] bool RenameStage::cycle(Cycle now, WarpSet live, const Turns& turns) {
  unsigned width = pipeline_.rename_width;
  bool any = false;
  turns.visit(live, [&](unsigned index) {
    Warp& warp = warps_[index];
    const InstructionWindow& window = warp.front.in_flight();
    if (!window.has_decoded(now)) return true;
    warp.strategy->begin_block();
    while (width != 0 && issue_queue_.has_room() && rename_one(warp, width, now)) {
      any = true;
      if (!window.has_decoded(now)) break;
    }
    return width != 0 && issue_queue_.has_room();
  });
  return any;
}

/// The next µop of the warp, which has been decoded, with the merges that it needs. False if it must wait.
bool RenameStage::rename_one(Warp& warp, unsigned& width, Cycle now) {
  const InstructionWindow& window = warp.front.in_flight();
  const std::uint64_t number = window.next();
  const Fetched& fetched = window[number];
  const x86::Uop* const operation = fetched.instruction == nullptr ? nullptr : &fetched.instruction->uops[warp.uop];
  const bool memory = operation != nullptr && fetched.lanes != 0 &&
                      (operation->kind == x86::UopKind::Load || operation->kind == x86::UopKind::Store);
  if (!has_room(warp, memory)) return false;
  if (branches_may_fill_buffer_ && branches(fetched) && !a_branch_can_end(warp)) return false;
  renamed_.clear();
  if (operation != nullptr && !rename(warp, *operation, fetched.path)) return false;
  for (const Merge& merge : renamed_.merges_before()) enter_merge(warp, merge, number, now);
  const unsigned counted = enter_operation(warp, number, operation, memory, now).takes_width;
  for (const Merge& merge : renamed_.merges_after()) enter_merge(warp, merge, number, now);
  const unsigned merges = renamed_.merge_count + renamed_.late_merge_count;
  const unsigned counted_merges = merges_are_free_ ? 0 : merges;
  width -= std::min(width, counted + counted_merges);
  warp.entered += 1 + counted_merges;
  advance(warp, fetched);
  return true;
}

/// For one more µop, beside the issue queue; merges that turn out to be needed may go beyond, as nobody knows of them
/// before renaming.
bool RenameStage::has_room(const Warp& warp, bool memory) const {
  return buffer_.has_room(warp.index) && (!memory || load_store_queue_.has_room());
}

/// Whether, with one more µop of the warp's branch, all of some warp's still fit. A branch's stay in the buffer until
/// all have executed, all others leave it.
bool RenameStage::a_branch_can_end(const Warp& warp) const {
  unsigned entered = 1, fewest = std::numeric_limits<unsigned>::max();
  for (const Warp& each : warps_) {
    const bool renames_now = &each == &warp;
    if (!renames_now && each.entered == 0) continue;
    const InstructionWindow& window = each.front.in_flight();
    const Fetched& fetched = window[window.next()];
    if (!branches(fetched)) continue;
    entered += each.entered;
    fewest = std::min(fewest, static_cast<unsigned>(fetched.uops - each.uop) - renames_now);
  }
  return fewest == 0 || entered + fewest <= buffer_.entries();
}

bool RenameStage::rename(Warp& warp, const x86::Uop& operation, PathId path) {
  const RenameOutcome outcome = warp.strategy->rename(operation.read(), operation.written(), path, renamed_);
  if (outcome == RenameOutcome::Renamed) return true;
  stalls_.merge += outcome == RenameOutcome::SeveralMerges;
  stalls_.no_register += outcome == RenameOutcome::NoFreeRegister;
  return false;
}

void RenameStage::enter_merge(Warp& warp, const Merge& merge, std::uint64_t instruction, Cycle now) {
  UopInFlight& uop = buffer_.push(warp.index, instruction, merges_are_free_);
  issue_queue_.enter(uop);
  uop.merge = true;
  uop.branches = branches(warp.front.in_flight()[instruction]);
  const bool vector = class_of(merge.renaming.architectural) == RegisterClass::Vector;
  uop.kind = vector ? x86::UopKind::VectorAlu : x86::UopKind::IntegerAlu;
  uop.renaming_count = 1;
  uop.renamings[0] = merge.renaming;
  issue_queue_.allocate(merge.renaming.physical);
  issue_queue_.wait_for(uop, merge.main());
  issue_queue_.wait_for(uop, merge.leading());
  if (merge.path != kNoPath) {
    uop.merge_path = merge.path;
    warp.front.paths().reference(merge.path);
    if (!warp.front.paths().resolved(merge.path)) issue_queue_.wait_for_mask(uop);
  }
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this, &warp, &uop, &merge](CoreListener& listener) {
      listener.entered({now, warp.index, instruction, uop.order, warp.front.in_flight()[instruction], nullptr, nullptr,
                        &merge, &table(warp.index)});
    });
  issue_queue_.settle(uop);
}

/// `operation`: null where paths meet or part. Returns its entry of the reorder buffer.
const UopInFlight& RenameStage::enter_operation(Warp& warp, std::uint64_t instruction, const x86::Uop* operation,
                                                bool memory, Cycle now) {
  const Fetched& fetched = warp.front.in_flight()[instruction];
  UopInFlight& uop = buffer_.push(warp.index, instruction, false);
  issue_queue_.enter(uop);
  uop.operation = operation;
  uop.kind = operation == nullptr ? x86::UopKind::Branch : operation->kind;
  uop.lanes = fetched.lanes;
  uop.takes_width = operation == nullptr || takes_width(widths_, *fetched.instruction, warp.uop);
  const bool tells_address =
      memory && operation->kind == x86::UopKind::Store && load_store_queue_.waits_for_addresses();
  unsigned addresses = tells_address ? operation->address_count : 0;
  for (const PhysicalRegister source : renamed_.read()) {
    issue_queue_.wait_for(uop, source, addresses != 0);
    addresses -= addresses != 0;
  }
  for (const Renaming& renaming : renamed_.written()) {
    uop.renamings[uop.renaming_count++] = renaming;
    issue_queue_.allocate(renaming.physical);
  }
  const bool last = warp.uop + 1 == fetched.uops && warp.repeat + 1 == fetched.repeats;
  uop.resolves = last && fetched.role != Role::Plain;
  uop.branches = branches(fetched);
  if (uop.resolves && !warp.front.resolution().may_resolve(instruction)) issue_queue_.wait_for_mask(uop);
  if (memory) enter_access(warp, uop, fetched);
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this, &warp, &uop, &fetched](CoreListener& listener) {
      listener.entered(
          {now, warp.index, instruction, uop.order, fetched, operation, &renamed_, nullptr, &table(warp.index)});
    });
  issue_queue_.settle(uop);
  return uop;
}

void RenameStage::enter_access(Warp& warp, UopInFlight& uop, const Fetched& fetched) {
  if (warp.access == AddressQueue::kNone) warp.access = fetched.addresses;
  uop.access = warp.front.in_flight().addresses().behind(warp.access, uop.operation->access);
  uop.bytes = static_cast<std::uint8_t>(access_bytes(*fetched.instruction, *uop.operation));
  uop.atomic = fetched.instruction->atomic;
  load_store_queue_.enter(uop);
}

/// To the next µop, the next repetition, or the next instruction.
void RenameStage::advance(Warp& warp, const Fetched& fetched) {
  if (++warp.uop < fetched.uops) return;
  warp.uop = 0;
  warp.entered = 0;
  if (++warp.repeat < fetched.repeats) {
    if (fetched.lanes != 0)
      warp.access = warp.front.in_flight().addresses().behind(warp.access, fetched.instruction->accesses.size());
    return;
  }
  warp.repeat = 0;
  warp.access = AddressQueue::kNone;
  UopInFlight& last = buffer_.youngest(warp.index);
  last.last = true;
  last.settles = fetched.role == Role::DivergentBranch;
  if (last.settles) warp.strategy->table().divergence_predicted();
  warp.front.take();
}

void RenameStage::restart(unsigned index, std::uint64_t instruction) {
  Warp& warp = warps_[index];
  if (instruction != warp.front.in_flight().next()) return;
  warp.uop = 0;
  warp.entered = 0;
  warp.repeat = 0;
  warp.access = AddressQueue::kNone;
}

void RenameStage::flush(const UopInFlight& uop) {
  Warp& warp = warps_[uop.warp];
  if (uop.settles) warp.strategy->table().divergence_settled();
  for (unsigned i = uop.renaming_count; i-- > 0;) {
    warp.strategy->table().undo(uop.renamings[i]);
    issue_queue_.release(uop.renamings[i].physical);
  }
  if (uop.merge_path != kNoPath) warp.front.paths().dereference(uop.merge_path);
}

}  // namespace warpfork::ooo
