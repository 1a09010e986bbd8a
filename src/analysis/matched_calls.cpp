#include "analysis/matched_calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpfork::analysis {

namespace {

/// Where the body's end leads: behind its first call, or behind all, as in the text.
enum class End { BehindFirst, BehindAll };

void connect(const std::vector<MatchedCall>& calls, End end, std::vector<Block>& blocks) {
  for (const MatchedCall& call : calls) {
    blocks[call.from].successors = {call.behind};
    std::vector<BlockId>& at_end = blocks[call.end].successors;
    if (end == End::BehindFirst && at_end.size() > 1) std::erase(at_end, call.behind);
  }
  for (Block& block : blocks) block.predecessors.clear();
  for (BlockId id = 0; id < blocks.size(); ++id)
    for (const BlockId to : blocks[id].successors) blocks[to].predecessors.push_back(id);
}

/// The blocks of a body, with those of bodies that lie within, in ascending order. `ends`: where threads go back, a
/// block for each call.
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

/// By entry: the blocks of each body. Those given are connected.
using Bodies = std::map<BlockId, std::vector<BlockId>>;

Bodies bodies_of(const std::vector<MatchedCall>& calls, const std::vector<Block>& blocks) {
  std::map<BlockId, std::set<BlockId>> ends;
  for (const MatchedCall& call : calls) ends[call.entry].insert(call.end);
  Bodies bodies;
  for (const auto& [entry, of_body] : ends) bodies[entry] = blocks_of_body(blocks, entry, of_body);
  return bodies;
}

/// What is true of any of the body's blocks is true of the one that calls. Whether it was otherwise before.
bool take_over(Block& calling, const std::vector<BlockId>& body, const std::vector<Block>& blocks) {
  bool changed = false;
  for (bool Block::*const what : {&Block::exits, &Block::meets, &Block::waits, &Block::names, &Block::polls}) {
    const auto does = [&](BlockId id) { return blocks[id].*what && !(what == &Block::exits && blocks[id].traps); };
    if (calling.*what || std::ranges::none_of(body, does)) continue;
    calling.*what = changed = true;
  }
  return changed;
}

std::vector<Block> connected(const ControlFlowGraph& graph, End end) {
  const std::vector<MatchedCall>& calls = graph.calls();
  std::vector<Block> blocks = graph.blocks();
  connect(calls, end, blocks);
  const Bodies bodies = bodies_of(calls, blocks);
  for (bool changed = true; changed;) {  // bodies call others
    changed = false;
    for (const MatchedCall& call : calls) changed |= take_over(blocks[call.from], bodies.at(call.entry), blocks);
  }
  return blocks;
}

}  // namespace

std::vector<Block> blocks_with_matched_calls(const ControlFlowGraph& graph) {
  return connected(graph, End::BehindFirst);
}

std::vector<Block> blocks_that_follow(const ControlFlowGraph& graph) { return connected(graph, End::BehindAll); }

std::vector<unsigned> call_depths(const ControlFlowGraph& graph) {
  std::vector<Block> blocks = graph.blocks();
  connect(graph.calls(), End::BehindFirst, blocks);
  const Bodies bodies = bodies_of(graph.calls(), blocks);
  std::vector<unsigned> depths(blocks.size(), 0);
  for (std::size_t round = 0; round < bodies.size(); ++round) {  // as deep as calls can be without a circle
    const std::vector<unsigned> before = depths;
    std::map<BlockId, unsigned> callers;  // by entry: the deepest place that leads there
    for (const auto& [entry, body] : bodies)
      for (const BlockId id : graph.blocks()[entry].predecessors)
        if (!std::ranges::binary_search(body, id)) callers[entry] = std::max(callers[entry], before[id]);
    for (const auto& [entry, body] : bodies)
      for (const BlockId id : body) depths[id] = std::max(depths[id], callers[entry] + 1);
    if (depths == before) break;
  }
  return depths;
}

}  // namespace warpfork::analysis
