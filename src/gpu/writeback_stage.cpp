#include "gpu/writeback_stage.h"

#include "gpu/table_traffic.h"

namespace warpfork::gpu {

void WritebackStage::written_back(const InFlight& record) {
  if (TableTraffic::is_entry(record)) {
    operations_.table_entry_back(record.warp);
    if (!operations_.waits_for_table_entry(record.warp)) buffers_.refresh_warp(record.warp);
    return;
  }
  if (record.instruction->destination_count == 0) return;
  refresh_blocked(registers_.release(record));
  if (operations_.any_memory_barrier())
    record.for_each_home([&](unsigned home, ActiveMask) { lift_memory_barrier(home); });
}

void WritebackStage::refresh_blocked(const RegisterHazards::Release& release) {
  const InstructionBuffers& entries = buffers_.entries();
  EntrySet blocked = entries.in(EntryState::BlockedRegister) | entries.in(EntryState::BlockedMemory) |
                     entries.in(EntryState::ScoreboardFull);
  if (blocked.any()) blocked &= buffers_.of_warps(release.places);
  blocked.for_each([&](unsigned entry) {
    if (registers_.may_go_on(entries[entry].buffer_pc, release)) buffers_.refresh(entry);
  });
}

void WritebackStage::store_acknowledged(unsigned warp) {
  operations_.store_acknowledged(warp);
  lift_memory_barrier(warp);
}

void WritebackStage::atomic_done(unsigned warp) {
  operations_.atomic_done(warp);
  buffers_.refresh_warp(warp);
  lift_memory_barrier(warp);
}

}  // namespace warpfork::gpu
