// The issue stage of a core: choosing an entry, executing its instruction functionally, and starting it on its way.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "gpu/core.h"

namespace warpfork::gpu {

using simt::InstructionKind;

bool Core::issue(unsigned scheduler, Cycle now, bool any_live) {
  const EntrySet own = buffers_.of_scheduler(scheduler);
  buffers_.flush_redirected(own);
  const EntrySet ready = issuable(own);
  if (ready == 0) {
    if (any_live) listener_->stalled(stall_cause(scheduler), 1);
    return false;
  }
  issue_entry(choose_entry(scheduler, ready), now);
  return true;
}

/// Those that are ready and whose lane can take their instruction.
EntrySet Core::issuable(EntrySet own) const {
  EntrySet found = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const WarpSlots free = lanes_->free_for(static_cast<Port>(port));
    const EntrySet ready = buffers_.entries().in(kReadyStates[port]) & own;
    if (free == ~WarpSlots{0})
      found |= ready;
    else
      for (EntrySet rest = free != 0 ? ready : 0; rest != 0; rest &= rest - 1)
        if (free >> buffers_.entries()[lowest_entry(rest)].warp & 1) found |= rest & -rest;
  }
  return found;
}

/// The policy chooses the warp; splits of a warp take turns (MULTIPATH section 5).
unsigned Core::choose_entry(unsigned scheduler, EntrySet ready) {
  WarpSlots warps = 0;
  for (EntrySet rest = ready; rest != 0; rest &= rest - 1)
    warps |= WarpSlots{1} << buffers_.entries()[lowest_entry(rest)].warp;
  const unsigned picked = schedulers_[scheduler]->pick(warps, blocks_.ages());
  WarpState& warp = warps_[picked];
  const EntrySet candidates = ready & buffers_.of_warp(picked);
  const EntrySet later = warp.last_entry >= 63 ? 0 : candidates & (~EntrySet{0} << (warp.last_entry + 1));
  return warp.last_entry = lowest_entry(later != 0 ? later : candidates);
}

void Core::issue_entry(unsigned index, Cycle now) {
  const InstructionBufferEntry& entry = buffers_.entries()[index];
  const unsigned warp = entry.warp;
  const unsigned slot = blocks_.slot_of(warp);
  ResidentBlock& block = blocks_.block(slot);
  const ActiveMask live = block.domain().live(blocks_.in_block(warp));
  const Step step = block.execute(entry.split, now);
  if (steps_) [[unlikely]]
    steps_->stepped(block, step, now);
  if (step.exited.any() || step.instruction->kind == InstructionKind::Barrier) census_.count_block(slot);
  buffers_.issued(index);

  compaction_.issued(warp, now);
  const InFlightId id = pool_.take();
  InFlight& record = pool_[id];
  fill_record(record, step, warp);
  reserve_registers(record, step);
  operations_.issued(record);
  lanes_->take(id, now);

  listener_->issued(
      {number_, warp, step.pc, step.active, step.executed, live,
       step.instruction->kind == InstructionKind::Branch && step.instruction->guard != simt::Instruction::kNoPredicate,
       step.places});
  if (registers_.homes().regroups() && step.changed.any())
    compaction_.take(blocks_.first_warp(slot), block.compactions(), block.formed(), now);
  if (step.changed.any()) {
    if (!block.domain().table_moves().empty()) tables_.send(block.domain(), blocks_.first_warp(slot), *listener_);
    sync_warps(slot, step.changed);
  }
  buffers_.refresh_warp(warp);
  if (const WarpSlots places = registers_.held_up_by(record); places != 0)
    buffers_.refresh_all(buffers_.of_warps(places) & buffers_.ready());
}

/// In the home warps: that is where the registers are.
void Core::reserve_registers(InFlight& record, const Step& step) {
  record.home_count = static_cast<std::uint8_t>(step.homes.size());
  std::transform(step.homes.begin(), step.homes.end(), record.homes.begin(), [&](const HomeLanes& home) {
    return HomeLanes{blocks_.first_warp_of(record.warp) + home.warp, home.lanes};
  });
  registers_.reserve(record);
}

void Core::fill_record(InFlight& record, const Step& step, unsigned warp) {
  const InstructionTiming& timing = conditions_.timings().of(step.instruction->timing);
  record.instruction = step.instruction;
  record.lanes = step.active;
  record.warp = static_cast<std::uint8_t>(warp);
  record.port = timing.port;
  record.latency = timing.latency;
  record.interval = timing.interval;
  record.transactions = record.sent = 0;
  record.outstanding = 0;
  record.rounds = 1;
  record.space = simt::MemorySpace::None;
  if (record.port != Port::Memory || step.executed.none() || step.instruction->kind == InstructionKind::MemoryBarrier)
    return;
  transactions_.generate(record, blocks_.block_of(warp).access(step), step.homes, blocks_.first_warp_of(warp));
}

}  // namespace warpfork::gpu
