// The issue stage of a core: choosing an entry, executing its instruction functionally, and starting it on its way.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "gpu/core.h"

namespace warpfork::gpu {

using simt::InstructionKind;

bool Core::issue(unsigned scheduler, Cycle now, bool any_live) {
  buffers_.flush_redirected(buffers_.of_scheduler(scheduler));
  if (const std::optional<unsigned> entry = issue_stage_.choose(scheduler, *lanes_)) {
    issue_entry(*entry, now);
    return true;
  }
  if (any_live) listener_->stalled(issue_stage_.stall_cause(scheduler), 1);
  return false;
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
  effects_.stepped(slot, step, now);
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
