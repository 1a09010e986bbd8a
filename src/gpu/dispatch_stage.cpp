#include "gpu/dispatch_stage.h"

#include <algorithm>

namespace warpfork::gpu {

using simt::InstructionKind;

namespace {

/// Whether regrouped threads are others than all those of one warp that had not exited. Apart, so that tell() stays
/// short.
[[gnu::noinline]] bool is_mixed(const Step& step, const ResidentBlock& block) {
  const HomeLanes& home = step.homes.front();
  return step.homes.size() > 1 || home.lanes != (block.live(home.warp) | step.exited);
}

}  // namespace

void DispatchStage::dispatch(unsigned entry, Cycle now) {
  const InstructionBufferEntry& chosen = buffers_.entries()[entry];
  const unsigned warp = chosen.warp;
  ResidentBlock& block = blocks_.block_of(warp);
  const ActiveMask live = block.live(blocks_.in_block(warp));
  const Step step = block.execute(chosen.split, now);
  buffers_.issued(entry);

  const InFlightId id = pool_.take();
  InFlight& record = pool_[id];
  fill(record, step, warp);
  registers_.reserve(record);
  operations_.issued(record);
  lanes_.take(id, now);

  tell(step, record, live, now);
  effects_.stepped(blocks_.slot_of(warp), step, now);
  buffers_.refresh_warp(warp);
  if (const WarpSlots places = registers_.held_up_by(pool_[id]); places.any())
    buffers_.refresh_all(buffers_.of_warps(places) & buffers_.ready());
}

void DispatchStage::tell(const Step& step, const InFlight& record, ActiveMask live, Cycle now) {
  const simt::Instruction& instruction = *step.instruction;
  const bool conditional =
      instruction.kind == InstructionKind::Branch && instruction.guard != simt::Instruction::kNoPredicate;
  const ResidentBlock& block = blocks_.block_of(record.warp);
  const bool divergent = step.homes.empty() ? step.active != live : is_mixed(step, block);
  report::IssueEvent event{core_, record.warp, step.pc,     step.active, step.executed,
                           live,  conditional, step.places, divergent};
  event.scalar = instruction.scalar;
  event.cycle = now;
  event.step = &step;
  event.block = &block;
  if (lanes_.lanes() != 0) {
    event.lane_threads = record.executed.count();
    event.lane_slots = lanes_.thread_slots(record);
  }
  listener_->issued(event);
}

void DispatchStage::entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) {
  listener_->lane_entered({{now, core_, record.warp}, lane, threads, &record});
}

void DispatchStage::fill(InFlight& record, const Step& step, unsigned warp) {
  const InstructionTiming& timing = timings_.of(step.instruction->timing);
  record.instruction = step.instruction;
  record.lanes = step.active;
  record.executed = step.instruction->kind == InstructionKind::Branch ? step.active : step.executed;
  if (step.instruction->scalar && lanes_.lanes() != 0 && record.executed.any())
    record.executed = ActiveMask::single(record.executed.lowest());  // the operands of any will do
  record.warp = static_cast<std::uint8_t>(warp);
  record.port = timing.port;
  record.latency = timing.latency;
  record.interval = timing.interval;
  record.transactions = record.sent = 0;
  record.outstanding = 0;
  record.is_written = false;
  record.rounds = 1;
  record.space = simt::MemorySpace::None;
  fill_homes(record, step.homes, blocks_.first_warp_of(warp));
  if (record.port != Port::Memory || step.executed.none() || step.instruction->kind == InstructionKind::MemoryBarrier)
    return;
  transactions_.generate(record, blocks_.block_of(warp).access(step), step.homes, blocks_.first_warp_of(warp));
}

/// In the home warps: that is where the registers are.
void DispatchStage::fill_homes(InFlight& record, std::span<const HomeLanes> homes, unsigned first_warp) const {
  record.home_count = static_cast<std::uint8_t>(homes.size());
  std::transform(homes.begin(), homes.end(), record.homes.begin(), [&](const HomeLanes& home) {
    return HomeLanes{first_warp + home.warp, home.lanes};
  });
}

}  // namespace warpfork::gpu
