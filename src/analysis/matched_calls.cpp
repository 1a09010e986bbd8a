#include "analysis/matched_calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpfork::analysis {

namespace {

void find_predecessors(std::vector<Block>& blocks) {
  for (Block& block : blocks) block.predecessors.clear();
  for (BlockId id = 0; id < blocks.size(); ++id)
    for (const BlockId to : blocks[id].successors) blocks[to].predecessors.push_back(id);
}

/// Each call leads behind itself, and the body's end behind its first call alone.
void match(const std::vector<MatchedCall>& calls, std::vector<Block>& blocks) {
  for (const MatchedCall& call : calls) {
    blocks[call.from].successors = {call.behind};
    std::vector<BlockId>& at_end = blocks[call.end].successors;
    if (at_end.size() > 1) std::erase(at_end, call.behind);
  }
  find_predecessors(blocks);
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

/// The graph's blocks so matched, those that call with what is true of the bodies; and the bodies.
struct MatchedBlocks {
  explicit MatchedBlocks(const ControlFlowGraph& graph) : blocks(graph.blocks()) {
    match(graph.calls(), blocks);
    bodies = bodies_of(graph.calls(), blocks);
    for (bool changed = true; changed;) {  // bodies call others
      changed = false;
      for (const MatchedCall& call : graph.calls())
        changed |= take_over(blocks[call.from], bodies.at(call.entry), blocks);
    }
  }

  std::vector<Block> blocks;
  Bodies bodies;
};

/// Leads the first call, which goes on into the body, behind itself as well if that is where this end leads.
void pass_over_first(const MatchedCall& call, const std::vector<BlockId>& body, std::vector<Block>& blocks) {
  const auto is_inside = [&](BlockId id) { return std::ranges::binary_search(body, id); };
  const std::vector<BlockId>& at_end = blocks[call.end].successors;
  const auto behind = std::ranges::find_if_not(at_end, is_inside);
  if (behind == at_end.end()) return;
  const BlockId to = *behind;
  for (const BlockId from : blocks[call.entry].predecessors) {
    if (is_inside(from)) continue;
    std::ranges::replace(blocks[from].successors, call.entry, to);
    blocks[to].predecessors.push_back(from);
    take_over(blocks[from], body, blocks);
  }
}

}  // namespace

std::vector<Block> blocks_with_matched_calls(const ControlFlowGraph& graph) { return MatchedBlocks(graph).blocks; }

std::vector<Block> blocks_that_follow(const ControlFlowGraph& graph) {
  auto [blocks, bodies] = MatchedBlocks(graph);
  for (const MatchedCall& call : graph.calls()) pass_over_first(call, bodies.at(call.entry), blocks);
  for (const MatchedCall& call : graph.calls())
    if (std::ranges::count(blocks[call.end].successors, call.behind) == 0)
      blocks[call.end].successors.push_back(call.behind);
  find_predecessors(blocks);
  return std::move(blocks);
}

std::vector<unsigned> call_depths(const ControlFlowGraph& graph) {
  const auto [blocks, bodies] = MatchedBlocks(graph);
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
