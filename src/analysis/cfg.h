// The control-flow graph of one PTX function (PTX ISA, "Control Flow Instructions"): basic blocks and their edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "ptx/module.h"

namespace warpfork::analysis {

/// Index into ControlFlowGraph::blocks(), in the order of the text.
using BlockId = std::uint32_t;

/// Instructions [first, last) that are entered only at `first` and left only at the end.
struct Block {
  Pc first = 0, last = 0;
  /// Without duplicates; the branch's targets first, then the fall-through. The exit is not among them.
  std::vector<BlockId> successors;
  /// In ascending order.
  std::vector<BlockId> predecessors;
  /// Threads can leave the kernel at this block's end: exit, ret, trap, or the end of the body.
  bool exits = false;
  bool traps = false;       // it exits so, and the launch with it
  bool only_exits = false;  // its only instruction is the exit of all
  bool only_ends = false;   // all exit at its end, having computed and stored something
  bool meets = false;       // some instruction is_meeting()
  bool waits = false;       // likewise, for all threads of the thread block
  bool names = false;       // some instruction names_threads()
  bool polls = false;       // some instruction reads_of_others()
};

/// Of a function that has one body for several calls: its edges lead into the body, and from its end to behind each.
struct MatchedCall {
  BlockId from = 0, entry = 0;  ///< the block that ends with the call; the body's first
  BlockId end = 0, behind = 0;  ///< the block that ends with the branch back; where that leads
};

/// Where control may go after one instruction.
struct Flow {
  std::vector<Pc> targets;  // in the order of the operand or table; a target may equal the body's size
  bool falls_through = false;
  bool exits = false;
  bool is_transfer() const { return !targets.empty() || exits || !falls_through; }
};

/// A guarded bra, brx, exit or ret also falls through; `call` is sequential. Throws Error if brx.idx names no table.
Flow flow_after(const ptx::Function& function, Pc pc);

/// Unreachable blocks are kept. A function without instructions has no blocks. The virtual exit node is implicit.
class ControlFlowGraph {
 public:
  explicit ControlFlowGraph(const ptx::Function& function);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// By the numbers that their branches have (ptx::Instruction::call).
  const std::vector<MatchedCall>& calls() const { return calls_; }
  /// `pc` must be an instruction of the body.
  BlockId block_of(Pc pc) const { return block_of_[pc]; }

  /// Instructions have come, gone or changed places, none of which is a branch or an exit: each block now begins where
  /// `firsts` says and ends where the next one begins, or the function after `size` instructions; it may be empty.
  void set_bounds(std::span<const Pc> firsts, Pc size);

 private:
  void find_blocks(const ptx::Function& function);
  void connect(const ptx::Function& function);
  void add_edge(BlockId from, Pc target);
  void match_calls(const ptx::Function& function);

  std::vector<Block> blocks_;
  std::vector<MatchedCall> calls_;
  std::vector<BlockId> block_of_;  // by pc
};

}  // namespace warpfork::analysis
