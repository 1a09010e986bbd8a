#include "analysis/matched_calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpfork::analysis {

namespace {

/// Of one function, by its entry: where threads go back from its body, a block for each of its calls.
using Bodies = std::map<BlockId, std::set<BlockId>>;

Bodies bodies_of(const std::vector<MatchedCall>& calls) {
  Bodies bodies;
  for (const MatchedCall& call : calls) bodies[call.entry].insert(call.end);
  return bodies;
}

void connect(const std::vector<MatchedCall>& calls, std::vector<Block>& blocks) {
  for (const MatchedCall& call : calls) {
    blocks[call.from].successors = {call.behind};
    std::vector<BlockId>& at_end = blocks[call.end].successors;
    if (at_end.size() > 1) std::erase(at_end, call.behind);
  }
  for (Block& block : blocks) block.predecessors.clear();
  for (BlockId id = 0; id < blocks.size(); ++id)
    for (const BlockId to : blocks[id].successors) blocks[to].predecessors.push_back(id);
}

/// The blocks of a body, with those of bodies that lie within, in ascending order.
std::vector<BlockId> blocks_of_body(const std::vector<Block>& blocks, BlockId entry, const std::set<BlockId>& ends) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<BlockId> found;
  const auto visit = [&](BlockId id) {
    if (!seen[id]) found.push_back(id);
    seen[id] = true;
  };
  visit(entry);
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const BlockId to : blocks[found[next]].successors)
      if (!ends.contains(found[next]) || ends.contains(to)) visit(to);
  std::ranges::sort(found);
  return found;
}

/// What is true of any of the body's blocks. Its calls have taken over what was known of their own bodies.
Block any_of_body(const std::vector<Block>& blocks, const std::vector<BlockId>& body) {
  Block any;
  for (const BlockId id : body) {
    any.exits |= blocks[id].exits && !blocks[id].traps;
    any.meets |= blocks[id].meets;
    any.waits |= blocks[id].waits;
    any.polls |= blocks[id].polls;
  }
  return any;
}

/// Whether the block was otherwise before.
bool take_over(Block& block, const Block& body) {
  const Block before = block;
  block.exits |= body.exits;
  block.meets |= body.meets;
  block.waits |= body.waits;
  block.polls |= body.polls;
  return before.exits != block.exits || before.meets != block.meets || before.waits != block.waits ||
         before.polls != block.polls;
}

}  // namespace

std::vector<Block> blocks_with_matched_calls(const ControlFlowGraph& graph) {
  const std::vector<MatchedCall>& calls = graph.calls();
  std::vector<Block> blocks = graph.blocks();
  connect(calls, blocks);
  const Bodies bodies = bodies_of(calls);
  for (bool changed = true; changed;) {  // bodies call others
    changed = false;
    std::map<BlockId, Block> any;
    for (const auto& [entry, ends] : bodies) any[entry] = any_of_body(blocks, blocks_of_body(blocks, entry, ends));
    for (const MatchedCall& call : calls) changed |= take_over(blocks[call.from], any[call.entry]);
  }
  return blocks;
}

std::vector<unsigned> call_depths(const ControlFlowGraph& graph) {
  std::vector<Block> blocks = graph.blocks();
  connect(graph.calls(), blocks);
  const Bodies bodies = bodies_of(graph.calls());
  std::map<BlockId, std::vector<BlockId>> of_body;
  for (const auto& [entry, ends] : bodies) of_body[entry] = blocks_of_body(blocks, entry, ends);
  std::vector<unsigned> depths(blocks.size(), 0);
  for (std::size_t round = 0; round < bodies.size(); ++round) {  // as deep as calls can be without a circle
    const std::vector<unsigned> before = depths;
    std::map<BlockId, unsigned> callers;  // by entry: the deepest place that leads there
    for (const auto& [entry, body] : of_body)
      for (const BlockId id : graph.blocks()[entry].predecessors)
        if (!std::ranges::binary_search(body, id)) callers[entry] = std::max(callers[entry], before[id]);
    for (const auto& [entry, body] : of_body)
      for (const BlockId id : body) depths[id] = std::max(depths[id], callers[entry] + 1);
    if (depths == before) break;
  }
  return depths;
}

}  // namespace warpfork::analysis
