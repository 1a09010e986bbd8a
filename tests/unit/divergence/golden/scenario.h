// One warp led through a figure of MULTIPATH by the commands of a golden file.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "block_program.h"
#include "divergence/divergence_domain.h"

namespace warpfork::golden {

/// Commands, one a line (# begins a comment):
///   mechanism NAME
///   block …                 see BlockProgram
///   warp 1111               launches the warp at the first block
///   goes A -> B 1111        redefines a block's targets
///   issue B 0101 [COUNT]    the split with these lanes, in block B, issues COUNT instructions (default: to the block's
///   end) show TITLE              prints the tables timeline                runs all to the end on the ideal pipeline:
///   one instruction a cycle, the split that issued
///                           longest ago first, an instruction waits for its predecessor's latency; prints every cycle
///                           and the tables whenever they have changed
class Scenario {
 public:
  /// Returns what the commands print.
  std::string run(const std::string& commands);

 private:
  void command(const std::string& line);
  void issue(const std::string& arguments);
  void execute(SplitId id);
  void timeline();
  /// The split to issue in this cycle, or none.
  const SplitId* ready_split(unsigned cycle) const;
  void print_tables();

  BlockProgram program_;
  std::unique_ptr<DivergenceDomain> domain_;
  std::string output_;
  std::array<unsigned, kMaxWarpSize> ready_at_{}, issued_at_{};  // by lane, in cycles
};

}  // namespace warpfork::golden
