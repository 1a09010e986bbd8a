#include "analysis/postdominators.h"

#include <algorithm>
#include <utility>

#include "analysis/matched_calls.h"

namespace warpfork::analysis {

namespace {

constexpr std::uint32_t kUnvisited = ~std::uint32_t{0};

/// The reversed graph: node `exit` has an edge to every block that exits; every block has edges to its predecessors.
struct ReversedGraph {
  explicit ReversedGraph(Ways edges)
      : ways(std::move(edges)), exit(static_cast<BlockId>(ways.exits.size())), number(exit + 1, kUnvisited) {
    for (BlockId id = 0; id < exit; ++id)
      if (ways.exits[id]) exits.push_back(id);
    visit_from_exit();
    // An endless loop: the last block of the text that is still unreached gets an edge to the exit.
    for (BlockId id = exit; id-- > 0;) {
      if (number[id] != kUnvisited) continue;
      exits.push_back(id);
      std::fill(number.begin(), number.end(), kUnvisited);
      postorder.clear();
      visit_from_exit();
    }
    leaves.assign(exit, false);
    for (BlockId id : exits) leaves[id] = true;
  }

  const std::vector<BlockId>& followers(BlockId node) const { return node == exit ? exits : ways.predecessors[node]; }

  void visit_from_exit() {
    struct Frame {
      BlockId node;
      std::size_t next = 0;
    };
    std::vector<bool> seen(exit + 1, false);
    std::vector<Frame> stack{{exit}};
    seen[exit] = true;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next < followers(top.node).size()) {
        const BlockId follower = followers(top.node)[top.next++];
        if (seen[follower]) continue;
        seen[follower] = true;
        stack.push_back({follower});
      } else {
        number[top.node] = static_cast<std::uint32_t>(postorder.size());
        postorder.push_back(top.node);
        stack.pop_back();
      }
    }
  }

  Ways ways;
  BlockId exit;
  std::vector<BlockId> exits;
  std::vector<bool> leaves;           // by block: has an edge to the exit
  std::vector<BlockId> postorder;     // ends with the exit
  std::vector<std::uint32_t> number;  // by node, position in postorder
};

BlockId intersect(BlockId a, BlockId b, const std::vector<BlockId>& immediate, const ReversedGraph& reversed) {
  while (a != b) {
    while (reversed.number[a] < reversed.number[b]) a = immediate[a];
    while (reversed.number[b] < reversed.number[a]) b = immediate[b];
  }
  return a;
}

BlockId meet_of_successors(BlockId block, const std::vector<BlockId>& immediate, const ReversedGraph& reversed) {
  BlockId meet = reversed.leaves[block] ? reversed.exit : kUnvisited;
  for (BlockId successor : reversed.ways.successors[block]) {
    if (immediate[successor] == kUnvisited) continue;
    meet = meet == kUnvisited ? successor : intersect(successor, meet, immediate, reversed);
  }
  return meet;
}

/// By block, and of the exit itself.
std::vector<BlockId> immediate_of(Ways ways) {
  const ReversedGraph reversed(std::move(ways));
  std::vector<BlockId> immediate(reversed.exit + 1, kUnvisited);
  immediate[reversed.exit] = reversed.exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = reversed.postorder.size() - 1; i-- > 0;) {
      const BlockId block = reversed.postorder[i];
      const BlockId meet = meet_of_successors(block, immediate, reversed);
      changed |= immediate[block] != meet;
      immediate[block] = meet;
    }
  }
  return immediate;
}

/// Whether the block is among those that all threads come to from there, or is that.
bool is_behind(BlockId block, BlockId from, const std::vector<BlockId>& immediate) {
  while (from != block && from != immediate[from]) from = immediate[from];
  return from == block;
}

}  // namespace

Postdominators::Postdominators(const ControlFlowGraph& graph, Leavers leavers) : graph_(&graph) {
  if (graph.calls().empty()) {
    immediate_ = immediate_of(ways_of(graph.blocks(), leavers));
  } else {
    immediate_ = immediate_of(ways_of(blocks_with_matched_calls(graph), leavers));
    part_at_ends_of_calls(graph, leavers);
  }
  for (BlockId block = 0; block < graph.blocks().size(); ++block) {
    const std::optional<BlockId> postdominator = immediate(block);
    reconvergence_.push_back(postdominator ? graph.blocks()[*postdominator].first : kNoPc);
  }
}

/// That is where all that may follow meets, but for circles, which the two graphs together may have.
void Postdominators::part_at_ends_of_calls(const ControlFlowGraph& graph, Leavers leavers) {
  following_ = immediate_of(ways_of(blocks_that_follow(graph), leavers));
  for (const MatchedCall& call : graph.calls()) {
    BlockId meeting = following_[call.end];
    while (meeting + 1 < following_.size() && is_behind(call.end, meeting, immediate_)) meeting = following_[meeting];
    immediate_[call.end] = meeting;
  }
}

std::optional<BlockId> Postdominators::immediate(BlockId block) const {
  const BlockId postdominator = immediate_[block];
  return postdominator + 1 == immediate_.size() ? std::nullopt : std::optional(postdominator);
}

Pc Postdominators::reconvergence_pc(Pc pc) const { return reconvergence_[graph_->block_of(pc)]; }

std::vector<Pc> Postdominators::later_meetings() const {
  std::vector<Pc> meetings;
  if (following_.empty()) return meetings;
  const std::vector<Block>& blocks = graph_->blocks();
  meetings.assign(blocks.back().last, kNoPc);
  for (BlockId block = 0; block < blocks.size(); ++block)
    if (following_[block] < blocks.size()) meetings[blocks[block].first] = blocks[following_[block]].first;
  return meetings;
}

}  // namespace warpfork::analysis
