// The control-flow graphs of the papers' figures, as golden files write them.
#pragma once

#include <string>
#include <vector>

#include "divergence/warp_split.h"

namespace warpfork::golden {

/// A block is written `block A 2 meets D -> B 0101, C 1010`: two instructions, immediate postdominator D, and which
/// lanes go where, the side to try first written first. `latency 2 1` after the size gives cycles per instruction
/// (default 1).
struct NamedBlock {
  std::string name;
  Pc first = 0;
  std::vector<unsigned> latencies;  // one per instruction
  std::string meets;                // empty = the exit
  std::vector<std::pair<std::string, ActiveMask>> targets;
};

class BlockProgram {
 public:
  /// Parses the rest of a line after `block`.
  void add(const std::string& definition);
  /// Parses `A -> B 1111`: from now on the block goes there.
  void redirect(const std::string& definition);

  const NamedBlock& named(const std::string& name) const;
  const NamedBlock& around(Pc pc) const;
  bool is_last(Pc pc) const;
  unsigned latency(Pc pc) const;
  /// First instruction of the block's postdominator.
  Pc reconvergence(Pc pc) const;
  /// Where these lanes go from the end of pc's block.
  std::vector<Path> paths(Pc pc, ActiveMask lanes) const;
  /// "B", or "B+1" inside the block.
  std::string place(Pc pc) const;
  /// A mechanism's tables with blocks instead of pcs in their first two columns.
  std::string with_names(const std::string& tables) const;

 private:
  std::vector<NamedBlock> blocks_;
};

}  // namespace warpfork::golden
