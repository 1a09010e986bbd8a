// A thread block led through a figure of CAPRI by the commands of a golden file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "block_program.h"
#include "divergence/divergence_domain.h"

namespace warpfork::golden {

/// Commands, one a line (# begins a comment). Masks have one digit per thread of the block, thread 0 on the right.
///   mechanism NAME
///   block …           see BlockProgram
///   warps 2 4         launches two warps of four lanes at the first block
///   issue B 0         what runs in the place of warp 0, in block B, executes that block to its end
///   show TITLE        prints what lies in each warp's place
class BlockScenario {
 public:
  /// Returns what the commands print.
  std::string run(const std::string& commands);

 private:
  void command(const std::string& line);
  void issue(const std::string& block, WarpId place);
  void execute(SplitId id);
  std::vector<Path> paths_of(const WarpSplit& split) const;
  void show(const std::string& title);

  BlockProgram program_;
  std::unique_ptr<DivergenceDomain> domain_;
  std::vector<ActiveMask> lanes_;
  std::string output_;
};

}  // namespace warpfork::golden
