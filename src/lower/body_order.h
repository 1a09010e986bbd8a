// A function's instructions in another order, as code motion tries it before it moves any.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/register_use.h"

namespace warpfork::lower {

/// What moves is neither a branch nor an exit, so that blocks stay as they are but for their bounds. Labels follow the
/// instructions that they stand before, as those of a BodyEdit do.
class BodyOrder {
 public:
  /// By place, where the instruction stands in the function; by block, the place of its first.
  struct Order {
    std::vector<Pc> instructions, firsts;
  };
  struct Move {
    Pc from, before;  // places
  };

  /// As they stand in the function, which stays as it is until write().
  explicit BodyOrder(const ptx::Function& function);
  /// With the blocks that `graph` says.
  BodyOrder(const ptx::Function& function, analysis::ControlFlowGraph graph);

  Pc size() const { return static_cast<Pc>(order_.instructions.size()); }
  const ptx::Instruction& operator[](Pc place) const { return function_.body[order_.instructions[place]]; }
  const analysis::ControlFlowGraph& graph() const { return graph_; }
  /// Of an order that is given up: for the next one of the function.
  analysis::ControlFlowGraph take_graph() { return std::move(graph_); }
  const analysis::RegisterUses& uses() const { return uses_; }
  const Order& order() const { return order_; }

  /// All at once. Several before the same place stand there in this order.
  void move(std::span<const Move> moves);
  /// The function, which must be the one that this was made of, gets such an order.
  void write(ptx::Function& function, const Order& order) const;

 private:
  const ptx::Function& function_;
  analysis::ControlFlowGraph graph_;
  analysis::RegisterUses uses_;
  Order order_;
  std::vector<Pc> written_firsts_;  // by block, in the function
};

}  // namespace warpfork::lower
