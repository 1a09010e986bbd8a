// Sequential colouring of an interference graph with places of one, two and four registers.
#pragma once

#include <span>
#include <vector>

#include "lower/interference_graph.h"

namespace warpfork::lower {

/// The registers that a function uses, in the order of their first appearance.
std::vector<ptx::RegisterId> by_appearance(const ptx::Function& function, const analysis::Liveness& liveness);
/// The same in the order in which they are coloured.
std::vector<ptx::RegisterId> colouring_order(const ptx::Function& function, const InterferenceGraph& graph,
                                             std::vector<ptx::RegisterId> used, ColouringOrder order);

/// Two registers that one place would save a move.
struct MovePair {
  ptx::RegisterId to = 0, from = 0;
};
/// Instructions that do nothing but copy a register (copied_register()), and their registers.
std::vector<Pc> copies(const ptx::Function& function);
std::vector<MovePair> move_pairs(const ptx::Function& function, std::span<const Pc> copies);

/// Places and their counts. Each register of `order` in turn takes the lowest aligned place that no neighbour holds; if
/// a register that it is moved from or to has a place that is free for it, that one.
RegisterAllocation colour(const ptx::Function& function, const InterferenceGraph& graph,
                          std::span<const RegisterFile> files, std::span<const ptx::RegisterId> order,
                          std::span<const MovePair> moves);

/// Units of a register within its file: of 32 bits, or one predicate.
unsigned units_of(ptx::ScalarType type);

}  // namespace warpfork::lower
