// The control-flow graph of a kernel with what one warp did in it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "explain/kernel_flow.h"
#include "gpu/resident_block.h"

namespace warpfork::explain {

class WarpGraph {
 public:
  explicit WarpGraph(const KernelFlow& flow);

  void add(const gpu::Step& step);

  /// For Graphviz. Of a block: how often the warp issued its last instruction, and how often lanes parted there. Of an
  /// edge: the masks with which the warp took it, most frequent first. What the warp never came to is gray; dashed
  /// edges lead to the immediate postdominator. `width`: digits of a mask. Sample of the lines of a block and an edge:
  ///   B0 [label="B0\npc 0-4, lines 6-10\n1 executed, 1 divergent", color=red];
  ///   B0 -> B2 [label="1010"];
  std::string graphviz(unsigned width) const;

 private:
  struct Count {
    std::uint64_t executed = 0, divergent = 0;
  };
  using Masks = std::map<ActiveMask::Word, std::uint64_t>;  // how often each

  void take(analysis::BlockId from, Pc to, ActiveMask lanes);
  std::string block_text(analysis::BlockId id) const;
  std::string edge_text(analysis::BlockId from, analysis::BlockId to, unsigned width) const;
  std::string name(analysis::BlockId id) const;
  analysis::BlockId exit() const { return static_cast<analysis::BlockId>(flow_.graph.blocks().size()); }

  const KernelFlow& flow_;
  std::vector<Count> blocks_;
  std::map<std::pair<analysis::BlockId, analysis::BlockId>, Masks> edges_;
};

}  // namespace warpfork::explain
