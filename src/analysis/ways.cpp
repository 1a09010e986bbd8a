#include "analysis/ways.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <span>
#include <utility>

#include "analysis/polling_loops.h"

namespace warpfork::analysis {

namespace {

Ways all_ways(std::span<const Block> blocks) {
  Ways ways;
  for (const Block& block : blocks) {
    ways.successors.push_back(block.successors);
    ways.predecessors.push_back(block.predecessors);
    ways.exits.push_back(block.exits);
  }
  return ways;
}

/// Goes along the edges from these blocks, but not on from what was reached before.
void reach(const std::vector<std::vector<BlockId>>& edges, std::vector<BlockId> to_visit, std::vector<bool>& reached) {
  while (!to_visit.empty()) {
    const BlockId block = to_visit.back();
    to_visit.pop_back();
    if (reached[block]) continue;
    reached[block] = true;
    to_visit.insert(to_visit.end(), edges[block].begin(), edges[block].end());
  }
}

/// By block: whether one of which `is_goal(id)` holds can be reached.
template <class IsGoal>
std::vector<bool> lead_to(std::span<const Block> blocks, const Ways& ways, IsGoal&& is_goal) {
  std::vector<BlockId> goals;
  for (BlockId id = 0; id < blocks.size(); ++id)
    if (is_goal(id)) goals.push_back(id);
  std::vector<bool> lead(blocks.size(), false);
  reach(ways.predecessors, std::move(goals), lead);
  return lead;
}

void drop(Ways& ways, BlockId from, BlockId to) {
  std::erase(ways.successors[from], to);
  std::erase(ways.predecessors[to], from);
}

/// Into what threads never return from: traps, and loops that have no end.
void drop_dead_ends(std::span<const Block> blocks, Ways& ways) {
  const auto returns = [&](BlockId id) { return blocks[id].exits && !blocks[id].traps; };
  const std::vector<bool> to_return = lead_to(blocks, ways, returns);
  const auto is_lost = [&](BlockId id) { return !to_return[id]; };
  for (BlockId id = 0; id < blocks.size(); ++id) {
    if (!returns(id) && std::ranges::all_of(blocks[id].successors, is_lost)) continue;
    if (blocks[id].traps) ways.exits[id] = false;
    for (const BlockId to : blocks[id].successors)
      if (is_lost(to)) drop(ways, id, to);
  }
}

/// The strongly connected component of each block: blocks of a loop have the same.
std::vector<BlockId> components_of(const Ways& ways) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(ways.successors.size());
  for (BlockId from = 0; from < ways.successors.size(); ++from)
    for (const BlockId to : ways.successors[from]) boost::add_edge(from, to, graph);
  std::vector<BlockId> component(ways.successors.size());
  boost::strong_components(graph,
                           boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  return component;
}

/// Edges from blocks that lead to a meeting to others: of whom others need not wait for.
class EarlyLeavers {
 public:
  /// `ends`: blocks of which it does not matter whether threads execute them together with those that have met.
  EarlyLeavers(std::span<const Block> blocks, const Ways& ways, bool Block::*meets, bool Block::*ends)
      : blocks_(blocks),
        ways_(ways),
        ends_(ends),
        lead_(lead_to(blocks, ways, [&](BlockId id) { return blocks[id].*meets; })),
        have_met_(blocks.size(), false) {
    find_who_goes_on();
    find_edges();
    while (keep_those_that_join()) {
    }
  }

  void drop_from(Ways& ways) const {
    for (BlockId id = 0; id < blocks_.size(); ++id)
      if (goes_on_[id]) ways.exits[id] = false;
    for (const auto& [from, to] : edges_) drop(ways, from, to);
  }

 private:
  using Edge = std::pair<BlockId, BlockId>;

  void find_who_goes_on() {
    const std::vector<BlockId> component = components_of(ways_);
    std::vector<bool> goes_on(blocks_.size(), false);  // by component
    for (BlockId from = 0; from < blocks_.size(); ++from)
      for (const BlockId to : ways_.successors[from])
        if (lead_[to] && component[to] != component[from]) goes_on[component[from]] = true;
    for (const BlockId of : component) goes_on_.push_back(goes_on[of]);
  }
  void find_edges() {
    for (BlockId from = 0; from < blocks_.size(); ++from)
      for (const BlockId to : ways_.successors[from]) {
        if (!lead_[from] || lead_[to]) continue;
        if (goes_on_[from])
          edges_.emplace_back(from, to);
        else
          come_to(to);
      }
  }
  /// Those behind which there is something to do together with threads that have met. False if there was none.
  bool keep_those_that_join() {
    const std::vector<bool> join =
        lead_to(blocks_, ways_, [&](BlockId id) { return have_met_[id] && !(blocks_[id].*ends_); });
    const auto first =
        std::partition(edges_.begin(), edges_.end(), [&](const Edge& edge) { return !join[edge.second]; });
    if (first == edges_.end()) return false;
    for (auto edge = first; edge != edges_.end(); ++edge) come_to(edge->second);
    edges_.erase(first, edges_.end());
    return true;
  }
  /// Threads that have met do, and to all that is behind.
  void come_to(BlockId start) { reach(ways_.successors, {start}, have_met_); }

  std::span<const Block> blocks_;
  const Ways& ways_;
  bool Block::*ends_;
  std::vector<bool> lead_, goes_on_, have_met_;  // by block; a meeting is ahead, and outside of the loop it is in
  std::vector<Edge> edges_;
};

void let_overtake(std::span<const Block> blocks, Leavers leavers, Ways& ways) {
  const std::vector<bool> begin = begin_polling_loops(blocks);
  for (BlockId id = 0; id < blocks.size(); ++id)
    if (begin[id] || (blocks[id].names && leavers == Leavers::CountGathered)) ways.exits[id] = true;
}

}  // namespace

Ways ways_of(std::span<const Block> blocks, Leavers leavers) {
  Ways ways = all_ways(blocks);
  if (leavers == Leavers::CountOvertaken || leavers == Leavers::CountGathered) {
    let_overtake(blocks, leavers, ways);
    return ways;
  }
  drop_dead_ends(blocks, ways);
  if (leavers == Leavers::Count) return ways;
  // At a barrier those that stay wait for those that would wait for them; where a warp's threads are named, they do
  // not.
  if (std::ranges::any_of(blocks, &Block::waits))
    EarlyLeavers(blocks, ways, &Block::waits, &Block::only_ends).drop_from(ways);
  if (std::ranges::any_of(blocks, &Block::meets))
    EarlyLeavers(blocks, ways, &Block::meets, &Block::only_exits).drop_from(ways);
  return ways;
}

std::vector<bool> blocks_that_lead_to_meeting(const ControlFlowGraph& graph) {
  const std::span<const Block> blocks = graph.blocks();
  return lead_to(blocks, all_ways(blocks), [&](BlockId id) { return blocks[id].meets; });
}

}  // namespace warpfork::analysis
