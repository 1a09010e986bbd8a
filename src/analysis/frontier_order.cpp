#include "analysis/frontier_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "analysis/loop_blocks.h"
#include "analysis/matched_calls.h"
#include "analysis/polling_loops.h"

namespace warpfork::analysis {

namespace {

/// Goes through the graph in depth, from its entry: to a block's immediate postdominator first, so that that is done
/// first, then to its other successors in the order of their keys.
class Walk {
 public:
  Walk(std::span<const Block> blocks, std::span<const BlockId> postdominators)
      : blocks_(blocks), postdominators_(postdominators), states_(blocks.size(), State::New) {}

  /// Calls back(from, to) for each branch back, and left(block) when all behind it has been gone through. From a branch
  /// back it goes on where all come to from its target.
  template <class Key, class Back, class Left>
  void go(Key&& key, Back&& back, Left&& left) {
    if (blocks_.empty()) return;
    enter(0, key);
    while (!open_.empty()) {
      Step& step = open_.back();
      if (step.gone == step.successors.size()) {
        states_[step.block] = State::Done;
        left(step.block);
        open_.pop_back();
        continue;
      }
      BlockId to = step.successors[step.gone++];
      if (states_[to] == State::Open) back(step.block, to);
      while (to != kNoBlock && states_[to] == State::Open) to = postdominators_[to];
      if (to != kNoBlock && states_[to] == State::New) enter(to, key);
    }
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };
  struct Step {
    BlockId block;
    std::vector<BlockId> successors;
    std::size_t gone = 0;
  };

  template <class Key>
  void enter(BlockId block, Key&& key) {
    states_[block] = State::Open;
    std::vector<BlockId> successors = blocks_[block].successors;
    const BlockId meet = postdominators_[block];
    std::ranges::stable_sort(successors, {}, [&](BlockId to) { return std::pair(to != meet, key(to)); });
    open_.push_back({block, std::move(successors)});
  }

  std::span<const Block> blocks_;
  std::span<const BlockId> postdominators_;
  std::vector<State> states_;
  std::vector<Step> open_;
};

/// By block: in how many loops it is, of those that branches back of the walk close.
std::vector<unsigned> count_loops_around(std::span<const Block> blocks, std::span<const BlockId> postdominators) {
  std::map<BlockId, std::vector<BlockId>> sources;  // of the branches back, by their target
  Walk(blocks, postdominators)
      .go([](BlockId) { return 0; }, [&](BlockId from, BlockId to) { sources[to].push_back(from); }, [](BlockId) {});
  std::vector<unsigned> loops_around(blocks.size(), 0);
  for (auto& [target, ends] : sources) {
    ends.push_back(target);
    const std::vector<bool> is_inside = loop_blocks(blocks, target, std::move(ends));
    for (BlockId block = 0; block < blocks.size(); ++block) loops_around[block] += is_inside[block];
  }
  return loops_around;
}

/// Numbers that a walk through the tree of postdominators gives each block when it comes to it and when it leaves it.
void number_tree(std::span<const BlockId> postdominators, std::vector<FrontierPlace>& places) {
  std::vector<std::vector<BlockId>> below(places.size());
  std::vector<BlockId> open;  // the walk's way; blocks before which something is still to be gone to
  for (BlockId block = 0; block < places.size(); ++block)
    (postdominators[block] == kNoBlock ? open : below[postdominators[block]]).push_back(block);
  std::uint32_t number = 0;
  while (!open.empty()) {
    const BlockId block = open.back();
    if (places[block].enters == 0) {
      places[block].enters = ++number;
      open.insert(open.end(), below[block].begin(), below[block].end());
    } else {
      places[block].leaves = ++number;
      open.pop_back();
    }
  }
}

/// Threads that have called come back before others go on, wherever the body stands.
void put_callees_first(std::span<const unsigned> depths, std::vector<FrontierPlace>& places) {
  std::vector<BlockId> blocks(places.size());
  std::iota(blocks.begin(), blocks.end(), BlockId{0});
  std::ranges::sort(blocks, {}, [&](BlockId block) { return std::pair(~depths[block], places[block].number); });
  for (std::uint32_t number = 0; const BlockId block : blocks) places[block].number = number++;
}

}  // namespace

/// The opposite of the order in which a walk in depth is done with blocks, if it goes out of loops first.
std::vector<FrontierPlace> frontier_order(std::span<const Block> blocks, std::span<const BlockId> postdominators) {
  const std::vector<unsigned> loops_around = count_loops_around(blocks, postdominators);
  auto number = static_cast<std::uint32_t>(blocks.size());
  std::vector<FrontierPlace> places(blocks.size(), {number, 0, 0});
  Walk(blocks, postdominators)
      .go([&](BlockId to) { return loops_around[to]; }, [](BlockId, BlockId) {},
          [&](BlockId block) { places[block].number = --number; });
  number_tree(postdominators, places);
  const std::vector<bool> polling = begin_polling_loops(blocks);
  for (BlockId block = 0; block < places.size(); ++block) places[block].begins_polling = polling[block];
  return places;
}

std::vector<FrontierPlace> frontier_order(const ControlFlowGraph& graph, const Postdominators& postdominators) {
  std::vector<BlockId> immediate;
  for (BlockId block = 0; block < graph.blocks().size(); ++block)
    immediate.push_back(postdominators.immediate(block).value_or(kNoBlock));
  if (graph.calls().empty()) return frontier_order(graph.blocks(), immediate);
  std::vector<FrontierPlace> places = frontier_order(blocks_with_matched_calls(graph), immediate);
  put_callees_first(call_depths(graph), places);
  return places;
}

}  // namespace warpfork::analysis
