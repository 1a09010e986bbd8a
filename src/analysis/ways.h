// Which ways through a kernel decide where threads that part meet again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/cfg.h"

namespace warpfork::analysis {

/// Threads that leave the kernel where others go on to meet (is_meeting()): at a barrier nobody waits for them, so that
/// nobody can wait for them before it either. Nor does anybody have to for those that never return.
enum class Leavers : std::uint8_t {
  Count,           // they are threads like others; but not those that never return
  DoNotCount,      // the others meet again without them
  CountOvertaken,  // like others, those that never return as well; nor are threads of polling loops waited for, which
                   // let others go to the end
  CountGathered,   // likewise; nor are those that wait for threads that they name
};

/// Edges between blocks, by block, and to the exit; as in Block.
struct Ways {
  std::vector<std::vector<BlockId>> successors, predecessors;
  std::vector<bool> exits;
};

/// All edges, and of overtaken ones those to the exit from where polling loops begin, of gathered ones those from where
/// threads are named, too; less those of leavers if they do
/// not count:
/// - to where nobody returns from, a trap or a loop without an end, where there is another way;
/// - from a block that leads to a barrier of the thread block to one that does not, or to the exit, if nothing but the
///   kernel's end is left to do there together with threads that have waited: the exit, and what compilers sink into
///   one with that of others (Block::only_ends). Where a loop holds the last barrier its ends stay: most of them are
///   left by all threads at once;
/// - likewise for all meetings, if nothing but the exit itself is left.
Ways ways_of(std::span<const Block> blocks, Leavers leavers);

/// By block: whether a meeting is in it or behind it.
std::vector<bool> blocks_that_lead_to_meeting(const ControlFlowGraph& graph);

}  // namespace warpfork::analysis
