// The control-flow graph as a reader wants to see it: text for the terminal, Graphviz for a picture.
#pragma once

#include <string>

#include "analysis/cfg.h"
#include "analysis/postdominators.h"

namespace warpfork::analysis {

/// Blocks and branches. Lines are those of the PTX text; a block is named B and its number.
///
/// Printed sample:
///   block      pc   lines  successors  postdominator
///   B0     0 -  4   9- 13  B2 B1       B2
///   B1     5 -  6  14- 15  B2          B2
///   B2     7 -  7  17- 17  exit        exit
///
///   branch at pc  line  targets  reconverges at
///              4    13  B2 B1    B2, pc 7, line 17
std::string print_text(const ptx::Function& function, const ControlFlowGraph& graph,
                       const Postdominators& postdominators);

/// A digraph for `dot`; solid edges are control flow, dashed ones lead to the immediate postdominator.
std::string print_graphviz(const ptx::Function& function, const ControlFlowGraph& graph,
                           const Postdominators& postdominators);

}  // namespace warpfork::analysis
