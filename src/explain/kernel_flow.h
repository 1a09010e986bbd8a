// A kernel's control flow as it was prepared for simulation, and how a reader is told of places in it.
#pragma once

#include <fmt/format.h>

#include <string>

#include "analysis/cfg.h"
#include "analysis/postdominators.h"
#include "simt/program.h"

namespace warpfork::explain {

struct KernelFlow {
  explicit KernelFlow(const simt::Program& program)
      : program(program), graph(*program.function), postdominators(graph) {}
  KernelFlow(const KernelFlow&) = delete;

  bool holds(Pc pc) const { return pc < program.code.size(); }
  bool ends_block(Pc pc) const { return graph.blocks()[graph.block_of(pc)].last == pc + 1; }

  /// "pc 14 (B3)", "pc 15 (in B3)", "the exit".
  std::string place(Pc pc) const {
    if (!holds(pc)) return "the exit";
    const analysis::BlockId block = graph.block_of(pc);
    return fmt::format("pc {} ({}B{})", pc, graph.blocks()[block].first == pc ? "" : "in ", block);
  }

  const simt::Program& program;
  const analysis::ControlFlowGraph graph;
  const analysis::Postdominators postdominators;
};

}  // namespace warpfork::explain
