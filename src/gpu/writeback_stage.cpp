#include "gpu/writeback_stage.h"

#include "gpu/table_traffic.h"

namespace warpfork::gpu {

inline void WritebackStage::refresh_blocked(const RegisterHazards::Release& release, EntrySet among) {
  const InstructionBuffers& entries = buffers_.entries();
  const EntrySet blocked = entries.in(EntryState::BlockedRead) | entries.in(EntryState::BlockedRegister) |
                           entries.in(EntryState::BlockedMemory) | entries.in(EntryState::ScoreboardFull);
  (blocked & among).for_each([&](unsigned entry) {
    if (registers_.may_go_on(entries[entry].buffer_pc, release)) refresh(entry);
  });
}

inline void WritebackStage::release(const InFlight& record) {
  if (record.instruction->destination_count == 0) {
    if (TableTraffic::is_entry(record)) table_entry_back(record.warp);
    return;
  }
  if (registers_.homes().regroups())
    release_in_homes(record);
  else
    refresh_blocked(registers_.release(record), buffers_.of_warp(record.warp));
  if (operations_.any_memory_barrier())
    record.for_each_home([&](unsigned home, ActiveMask) { lift_memory_barrier(home); });
}

[[gnu::noinline]] void WritebackStage::release_in_homes(const InFlight& record) {
  const RegisterHazards::Release release = registers_.release(record);
  refresh_blocked(release, buffers_.of_warps(release.places));
}

void WritebackStage::written_back(const InFlight& record) { release(record); }

void WritebackStage::completed(const InFlight& record) {
  operations_.left_pipeline(record.warp);
  release(record);
}

void WritebackStage::table_entry_back(unsigned warp) {
  operations_.table_entry_back(warp);
  if (!operations_.waits_for_table_entry(warp)) refresh_warp(warp);
}

void WritebackStage::operands_read(const InFlight& record) {
  const std::uint64_t read = registers_.operands_read(record);
  const InstructionBuffers& entries = buffers_.entries();
  EntrySet blocked = entries.in(EntryState::BlockedRead);
  if (registers_.homes().regroups())  // entries are not asked again where threads in another place issue
    blocked = (blocked | entries.in(EntryState::BlockedRegister)) & buffers_.of_warps(registers_.users_of(record));
  else
    blocked &= buffers_.of_warp(record.warp);
  if (read != 0 && blocked.any()) refresh_behind(read, blocked);
}

/// Apart, as few wait.
[[gnu::noinline]] void WritebackStage::refresh_behind(std::uint64_t read, EntrySet blocked) {
  const InstructionBuffers& entries = buffers_.entries();
  blocked.for_each([&](unsigned entry) {
    if (registers_.may_go_on_behind(read, entries[entry].buffer_pc)) refresh(entry);
  });
}

void WritebackStage::store_acknowledged(unsigned warp) {
  operations_.store_acknowledged(warp);
  lift_memory_barrier(warp);
}

void WritebackStage::atomic_done(unsigned warp) {
  operations_.atomic_done(warp);
  refresh_warp(warp);
  lift_memory_barrier(warp);
}

}  // namespace warpfork::gpu
