// The block-wide stack as CAPRI draws it (Figures 3 and 6), the part of it that lies in one place.
#pragma once

#include <string>
#include <vector>

#include "divergence/block_wide_stack.h"
#include "divergence/branch_sides.h"
#include "divergence/compaction_barriers.h"
#include "divergence/dynamic_warps.h"
#include "divergence/live_threads.h"
#include "divergence/state_table.h"

namespace warpfork {

/// Lists the entries in a warp's place, lanes by home warp; the warps of the entry that are yet to come to its next
/// branch or its end (WCnt), to the branch where a warp has parted; and whether the compaction unit regroups the
/// threads (U-mask). CAPRI Figure 3 (A at 0, B at 2, C at 4, D at 6; two warps of four threads, of which 0, 6 and 7
/// take B), place 0 while B runs:
///   stack    pc   rpc  wcnt  umask  lanes
///             6     -     0      -  1111  0:1111
///             4     6     0      1  1111  0:1110 1:0001
///             2     6     1      1  1101  0:0001 1:1100  top
/// While it waits at the branch, whose entries it has pushed:
///             6     -     1      -  1111  0:1111
///             4     6     0      1  1110  0:1110
///             2     6     0      1  0001  0:0001
///   waits at 0 for 1
class BlockStackTable {
 public:
  BlockStackTable(const BlockWideStack& stack, const DynamicWarps& warps, const BranchSides& sides,
                  const CompactionBarriers& barriers, const LiveThreads& live)
      : stack_(stack), warps_(warps), sides_(sides), barriers_(barriers), live_(live) {}

  StateTable of(WarpId place) const;

 private:
  void add_rows_of(const CompactionFrame& frame, WarpId place, StateTable& table) const;
  void add_rows_of_waiting(const CompactionBarrier& barrier, WarpId place, StateTable& table) const;
  std::vector<std::string> row(Pc pc, Pc rpc, unsigned to_come, UMask u_mask, const CompactedWarp& warp,
                               const char* state = "") const;

  const BlockWideStack& stack_;
  const DynamicWarps& warps_;
  const BranchSides& sides_;
  const CompactionBarriers& barriers_;
  const LiveThreads& live_;
};

}  // namespace warpfork
