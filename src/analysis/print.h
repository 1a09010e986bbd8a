// The control-flow graph as a reader wants to see it: text for the terminal, Graphviz for a picture.
#pragma once

#include <string>

#include "analysis/cfg.h"
#include "analysis/postdominators.h"

namespace warpfork::analysis {

/// Blocks, and the branches at which threads may part. Lines are those of the PTX text; a block is named B and its
/// number.
///
/// Printed sample:
///   block          pc        lines  successors  postdominator
///   B0       0 -    1    10 -   11  B2 B1       B3
///   B1       2 -    3    12 -   13  B3          B3
///   B2       4 -    4    14 -   14  B3          B3
///   B3       5 -    5    15 -   15  exit        exit
///
///   branch at pc  line  targets     reconverges at
///              1    11  B2 B1       B3, pc 5, line 15
std::string print_text(const ptx::Function& function, const ControlFlowGraph& graph,
                       const Postdominators& postdominators);

/// A digraph for `dot`; solid edges are control flow, dashed ones lead to the immediate postdominator.
std::string print_graphviz(const ptx::Function& function, const ControlFlowGraph& graph,
                           const Postdominators& postdominators);

}  // namespace warpfork::analysis
