// What each warp has under way, and whom that holds back: memory barriers, atomics, entries of reconvergence tables.
#pragma once

#include <vector>

#include "gpu/in_flight.h"
#include "gpu/scoreboard.h"
#include "gpu/warp_slots.h"

namespace warpfork::gpu {

/// Counts by warp slot. Of loads only those in the pipeline are counted; behind it their registers are pending.
class OutstandingOperations {
 public:
  OutstandingOperations(unsigned warps, const Scoreboard& scoreboard) : scoreboard_(scoreboard), warps_(warps) {}

  /// The warp has issued the instruction, whose registers are reserved. A memory barrier and an atomic hold back the
  /// whole warp until they are done; a memory barrier waits for stores from their issue on.
  void issued(const InFlight& record) {
    const simt::InstructionKind kind = record.instruction->kind;
    Warp& warp = warps_[record.warp];
    ++warp.in_pipeline;
    if (kind == simt::InstructionKind::Store && record.transactions != 0) {
      warp.stores += record.transactions;
      storing_.insert(record.warp);
    }
    if (kind == simt::InstructionKind::MemoryBarrier && !is_quiet(record.warp)) {
      barriers_ += !warp.at_barrier;
      warp.at_barrier = true;
      note(record.warp);
    }
    if (kind == simt::InstructionKind::Atomic && record.transactions != 0) {
      ++warp.atomics;
      note(record.warp);
    }
  }
  void left_pipeline(unsigned warp) { --warps_[warp].in_pipeline; }

  /// An entry of the warp's reconvergence table is a store on its way to memory, and is missing until it is back.
  void table_entry_sent(unsigned warp) {
    ++warps_[warp].stores;
    storing_.insert(warp);
  }
  void table_entry_asked(unsigned warp) {
    ++warps_[warp].missing_entries;
    note(warp);
  }
  void table_entry_back(unsigned warp) {
    --warps_[warp].missing_entries;
    note(warp);
  }

  void store_acknowledged(unsigned warp) {
    if (--warps_[warp].stores == 0) storing_.erase(warp);
  }
  void atomic_done(unsigned warp) {
    --warps_[warp].atomics;
    note(warp);
  }

  bool any_memory_barrier() const { return barriers_ != 0; }
  /// Whether any of the following does: they are asked before each issue.
  bool holds_back(unsigned warp) const { return held_back_.contains(warp); }
  bool at_memory_barrier(unsigned warp) const { return warps_[warp].at_barrier; }
  bool waits_for_atomic(unsigned warp) const { return warps_[warp].atomics != 0; }
  bool waits_for_table_entry(unsigned warp) const { return warps_[warp].missing_entries != 0; }

  /// Something of the warp is done: true if it waited for that at a memory barrier, and now goes on.
  bool lift_memory_barrier(unsigned warp) {
    if (!at_memory_barrier(warp) || !is_quiet(warp)) return false;
    warps_[warp].at_barrier = false;
    note(warp);
    --barriers_;
    return true;
  }
  /// Warps with stores that have no acknowledgement: none of these is drained.
  WarpSlots storing() const { return storing_; }
  /// Nothing of the warp is under way.
  bool drained(unsigned warp) const {
    return is_quiet(warp) && warps_[warp].in_pipeline == 0 && warps_[warp].missing_entries == 0;
  }

 private:
  struct Warp {
    unsigned in_pipeline = 0;
    unsigned stores = 0;           // without acknowledgement
    unsigned atomics = 0;          // instructions not done
    unsigned missing_entries = 0;  // of its reconvergence table, on their way from memory
    bool at_barrier = false;       // waits at a memory barrier
  };
  /// Whether a memory barrier would let the warp pass.
  bool is_quiet(unsigned warp) const {
    return warps_[warp].stores == 0 && warps_[warp].atomics == 0 && !scoreboard_.pending(warp);
  }

  void note(unsigned warp) {
    if (at_memory_barrier(warp) || waits_for_atomic(warp) || waits_for_table_entry(warp))
      held_back_.insert(warp);
    else
      held_back_.erase(warp);
  }

  const Scoreboard& scoreboard_;
  std::vector<Warp> warps_;
  WarpSlots held_back_, storing_;
  unsigned barriers_ = 0;  // warps that wait at one
};

}  // namespace warpfork::gpu
