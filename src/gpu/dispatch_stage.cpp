#include "gpu/dispatch_stage.h"

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

void DispatchStage::started(unsigned slot, Dim3 index, Cycle now) {
  const unsigned first = blocks_.first_warp(slot);
  for (unsigned warp = first; warp < first + blocks_.warps_per_block(); ++warp) tally_.tell(warp);
  listener_->block_started({{now, core_, first}, blocks_.warps_per_block(), index, &blocks_.block(slot)});
}

void DispatchStage::dispatch(unsigned entry, Cycle now) {
  const InstructionBufferEntry& chosen = buffers_.entries()[entry];
  const unsigned warp = chosen.warp;
  ResidentBlock& block = blocks_.block_of(warp);
  const ActiveMask live = block.live(blocks_.in_block(warp));
  const Step step = block.execute(*chosen.split, now);
  buffers_.issued(entry);

  const InFlightId id = pool_.take();
  InFlight& record = pool_[id];
  fill(record, step, warp);
  registers_.reserve(record);
  operations_.issued(record);
  lanes_.take(id, now);

  count(step, record, block, live);
  if (observes_issues_) tell(step, record, block, now);
  effects_.stepped(warp, step, now);
  buffers_.refresh_warp(warp);
  if (const WarpSlots places = registers_.held_up_by(pool_[id]); places.any())
    buffers_.refresh_all(buffers_.of_warps(places) & buffers_.ready());
}

inline void DispatchStage::count(const Step& step, const InFlight& record, const ResidentBlock& block,
                                 ActiveMask live) {
  const simt::Instruction& instruction = *step.instruction;
  report::IssueRun& run = tally_.run(record.warp, step.active, live);
  ++run.instructions;
  run.divergent += step.homes.empty() ? step.active != live : is_mixed(step, block);
  run.scalar += instruction.scalar;
  run.executed += step.executed.count();
  if (compacts_) {
    run.lane_threads += record.executed.count();
    run.lane_slots += lanes_.thread_slots(record);
  }
  if (instruction.kind == InstructionKind::Branch && instruction.may_part()) tell_of_branch(step, record.warp);
}

void DispatchStage::tell_of_branch(const Step& step, unsigned warp) {
  if (step.places > 1) tally_.tell(warp);
  usual_->branched({core_, warp, step.pc, step.places});
}

void DispatchStage::tell(const Step& step, const InFlight& record, const ResidentBlock& block, Cycle now) {
  listener_->issued({.core = core_,
                     .warp = record.warp,
                     .pc = step.pc,
                     .active = step.active,
                     .executed = step.executed,
                     .places = step.places,
                     .lane_slots = compacts_ ? lanes_.thread_slots(record) : 0,
                     .scalar = step.instruction->scalar,
                     .cycle = now,
                     .step = &step,
                     .block = &block});
}

void DispatchStage::entered(const InFlight& record, unsigned lane, ActiveMask threads, Cycle now) {
  listener_->lane_entered({{now, core_, record.warp}, lane, threads, &record});
}

namespace {

/// Products of matrices: the pieces enter the unit one behind the other.
void take_steps(InFlight& record, unsigned steps) {
  record.latency = static_cast<std::uint16_t>(record.latency + record.interval * (steps - 1));
  record.interval = static_cast<std::uint16_t>(record.interval * steps);
}

}  // namespace

inline void DispatchStage::fill(InFlight& record, const Step& step, unsigned warp) {
  const simt::Instruction& instruction = *step.instruction;
  const InstructionTiming& timing = timings_.of(instruction.timing);
  record.instruction = &instruction;
  record.pc = step.pc;
  record.lanes = step.active;
  record.executed = instruction.kind == InstructionKind::Branch ? step.active : step.executed;
  if (instruction.scalar && is_temporal_ && record.executed.any())
    record.executed = ActiveMask::single(record.executed.lowest());  // the operands of any will do
  record.warp = static_cast<std::uint8_t>(warp);
  record.port = timing.port;
  record.latency = timing.latency;
  record.interval = timing.interval;
  if (instruction.steps > 1) [[unlikely]]
    take_steps(record, instruction.steps);
  record.space = simt::MemorySpace::None;
  record.rounds = 1;
  record.transactions = record.sent = 0;
  record.outstanding = 0;
  record.is_written = false;
  record.home_count = 0;
  if (!step.homes.empty()) fill_homes(record, step.homes, blocks_.first_warp_of(warp));
  if (timing.port != Port::Memory || step.executed.none() || instruction.kind == InstructionKind::MemoryBarrier) return;
  transactions_.generate(record, blocks_.block_of(warp).access(step), step.homes, blocks_.first_warp_of(warp));
}

/// In the home warps: that is where the registers are.
void DispatchStage::fill_homes(InFlight& record, std::span<const HomeLanes> homes, unsigned first_warp) const {
  record.home_count = static_cast<std::uint8_t>(homes.size());
  record.extra->homes.clear();  // keeps its room: a record is given out again and again
  for (const HomeLanes& home : homes) record.extra->homes.push_back({first_warp + home.warp, home.lanes});
}

}  // namespace warpfork::gpu
