// The rename stage of the out-of-order core: µops leave the fetch buffers and enter the queues (SIMT-X Figure 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ooo/core_listeners.h"
#include "ooo/issue_queue.h"
#include "ooo/load_store_queue.h"
#include "ooo/machine_spec.h"
#include "ooo/rename/free_list.h"
#include "ooo/rename/rename_strategy.h"
#include "ooo/rename_stalls.h"
#include "ooo/turns.h"
#include "ooo/warp_front.h"
#include "ooo/width_unit.h"

namespace warpfork::ooo {

/// Holds each warp's alias table, and where renaming is within the warp's next instruction.
class RenameStage {
 public:
  RenameStage(const MachineSpec& machine, WidthUnit widths, std::span<const std::unique_ptr<WarpFront>> fronts,
              FreeList& free, ReorderBuffer& buffer, IssueQueue& issue_queue, LoadStoreQueue& load_store_queue,
              const CoreListeners& listeners);

  /// Only the live warps have something to rename. Whether anything was renamed.
  bool cycle(Cycle now, WarpSet live, const Turns& turns);
  /// The µop commits, in program order; its instruction is still in its front end.
  void commit(const UopInFlight& uop) {
    Warp& warp = warps_[uop.warp];
    for (unsigned i = 0; i < uop.renaming_count; ++i) warp.strategy->table().commit(uop.renamings[i]);
    if (uop.merge_path != kNoPath) warp.front.paths().dereference(uop.merge_path);
    if (uop.settles) warp.strategy->table().divergence_settled();
  }
  /// The warp's youngest instruction is taken back; it may be half renamed.
  void restart(unsigned warp, std::uint64_t instruction);
  /// Likewise each of its µops, the youngest first.
  void flush(const UopInFlight& uop);

  const Pirat& table(unsigned warp) const { return warps_[warp].strategy->table(); }
  const RenameStalls& stalls() const { return stalls_; }

 private:
  struct Warp {
    WarpFront& front;
    std::unique_ptr<RenameStrategy> strategy;
    unsigned index;
    // Within the front end's next instruction:
    std::size_t uop = 0;
    std::uint32_t repeat = 0;
    std::uint64_t access = AddressQueue::kNone;  // where the repetition's begin
    unsigned entered = 0;                        // entries of the reorder buffer
  };

  bool rename_one(Warp& warp, unsigned& width, Cycle now);
  bool has_room(const Warp& warp, bool memory) const;
  bool a_branch_can_end(const Warp& warp) const;
  bool rename(Warp& warp, const x86::Uop& operation, PathId path);
  [[gnu::noinline]] void enter_merge(Warp& warp, const Merge& merge, std::uint64_t instruction, Cycle now);
  const UopInFlight& enter_operation(Warp& warp, std::uint64_t instruction, const x86::Uop* operation, bool memory,
                                     Cycle now);
  [[gnu::noinline]] void enter_access(Warp& warp, UopInFlight& uop, const Fetched& fetched);
  void advance(Warp& warp, const Fetched& fetched);

  PipelineSpec pipeline_;
  WidthUnit widths_;
  ReorderBuffer& buffer_;
  IssueQueue& issue_queue_;
  LoadStoreQueue& load_store_queue_;
  const CoreListeners& listeners_;
  std::vector<Warp> warps_;
  bool merges_are_free_;
  bool branches_may_fill_buffer_;
  RenamedUop renamed_;  // the µop at hand
  RenameStalls stalls_;
};

}  // namespace warpfork::ooo
