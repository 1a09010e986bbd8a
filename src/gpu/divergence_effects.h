// What a block's divergence mechanism has done, as the units of its core feel it.
#pragma once

#include "gpu/block_slots.h"
#include "gpu/compaction_timing.h"
#include "gpu/register_homes.h"
#include "gpu/resident_block.h"
#include "gpu/split_buffers.h"
#include "gpu/table_traffic.h"
#include "gpu/thread_census.h"

namespace warpfork::gpu {

/// After each step of a block: which splits have entries, whose registers lie where, which warps have ended, and what
/// takes time: the compaction unit and the way of table entries to memory.
class DivergenceEffects {
 public:
  DivergenceEffects(BlockSlots& blocks, RegisterHomes& homes, CompactionTiming& compaction, TableTraffic& tables,
                    SplitBuffers& buffers, ThreadCensus& census)
      : blocks_(blocks), homes_(homes), compaction_(compaction), tables_(tables), buffers_(buffers), census_(census) {}

  void begin_kernel(report::LaunchListener& listener) { listener_ = &listener; }
  /// A block has come to the slot.
  void started(unsigned slot);
  /// The warp's block has executed an instruction in its place.
  void stepped(unsigned warp, const Step& step, Cycle now) {
    if (homes_.regroups()) compaction_.issued(warp, now);
    if (step.exited.any() || may_wait(step)) census_.count_block(blocks_.slot_of(warp));
    if (step.changed.any()) apply(blocks_.slot_of(warp), step.changed, now);
  }
  /// Splits for which there was no instruction buffer entry get those that have become free or are of no use, lowest
  /// warp slot first.
  void serve_waiting_splits() {
    for (WarpSlots rest = buffers_.waiting(); rest.any() && buffers_.any_to_be_had();) {
      const unsigned warp = rest.lowest();
      rest.erase(warp);
      update_warp(warp);
    }
  }

 private:
  /// Whether threads may have come to wait, or wait no longer.
  static bool may_wait(const Step& step) {
    return step.instruction->kind == simt::InstructionKind::Barrier || step.instruction->names_members();
  }
  void apply(unsigned slot, WarpSet changed, Cycle now);
  void update_warps(unsigned slot, WarpSet changed);
  void update_warp(unsigned warp);

  BlockSlots& blocks_;
  RegisterHomes& homes_;
  CompactionTiming& compaction_;
  TableTraffic& tables_;
  SplitBuffers& buffers_;
  ThreadCensus& census_;
  report::LaunchListener* listener_ = nullptr;
};

}  // namespace warpfork::gpu
