#include "lower/body_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lower/label_places.h"

namespace warpfork::lower {

BodyOrder::BodyOrder(const ptx::Function& function) : BodyOrder(function, analysis::ControlFlowGraph(function)) {}

BodyOrder::BodyOrder(const ptx::Function& function, analysis::ControlFlowGraph graph)
    : function_(function), graph_(std::move(graph)), uses_(function) {
  order_.instructions.resize(function.body.size());
  std::iota(order_.instructions.begin(), order_.instructions.end(), Pc{0});
  for (const analysis::Block& block : graph_.blocks()) order_.firsts.push_back(block.first);
  written_firsts_ = order_.firsts;
}

void BodyOrder::move(std::span<const Move> moves) {
  std::vector<Move> inserted(moves.begin(), moves.end());
  std::ranges::stable_sort(inserted, {}, &Move::before);
  std::vector<bool> leaves(size(), false);
  for (const Move& move : moves) leaves[move.from] = true;
  std::vector<Pc> places, firsts;  // by new place, the old one
  auto next = inserted.begin();
  auto block = order_.firsts.begin();
  for (Pc place = 0; place < size(); ++place) {
    for (; block != order_.firsts.end() && *block == place; ++block) firsts.push_back(static_cast<Pc>(places.size()));
    for (; next != inserted.end() && next->before == place; ++next) places.push_back(next->from);
    if (!leaves[place]) places.push_back(place);
  }
  firsts.resize(order_.firsts.size(), size());
  uses_.reorder(places);
  graph_.set_bounds(firsts, size());
  order_.firsts = std::move(firsts);
  for (Pc& place : places) place = order_.instructions[place];
  order_.instructions = std::move(places);
}

void BodyOrder::write(ptx::Function& function, const Order& order) const {
  std::vector<ptx::Instruction> body;
  body.reserve(order.instructions.size());
  std::vector<Pc> place(order.instructions.size() + 1);  // by what a label stood before
  for (const Pc pc : order.instructions) {
    place[pc] = static_cast<Pc>(body.size());
    body.push_back(std::move(function.body[pc]));
  }
  for (std::size_t block = 0; block < order.firsts.size(); ++block) place[written_firsts_[block]] = order.firsts[block];
  place.back() = static_cast<Pc>(order.instructions.size());
  move_labels(body, place);
  function.body = std::move(body);
}

}  // namespace warpfork::lower
