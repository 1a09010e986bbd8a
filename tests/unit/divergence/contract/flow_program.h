// Control flow with nothing in it: the programs on which divergence mechanisms are held to the one-thread oracle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"

namespace warpfork::contract {

struct FlowInstruction {
  enum class Kind : std::uint8_t {
    Step,     // goes on to the next instruction
    Branch,   // every thread chooses one of `targets`
    Leave,    // every thread chooses: 0 = exits, 1 = goes on; a Leave that `always` exits lets nobody on
    Barrier,  // waits for all live threads of the block
  };
  Kind kind = Kind::Step;
  std::vector<Pc> targets;
  bool always = false;
};

/// Where threads that part are told to meet.
enum class ReconvergenceRule : std::uint8_t {
  Postdominator,   // where all of them are sure to come
  UnlessTheyExit,  // where those come that do not leave by a Leave that lets others on: lanes exit under divergence
};

/// Instructions by pc. The last one always exits, and the exit can be reached from everywhere.
class FlowProgram {
 public:
  FlowProgram(std::vector<FlowInstruction> code, ReconvergenceRule rule);

  const FlowInstruction& at(Pc pc) const { return code_[pc]; }
  Pc size() const { return static_cast<Pc>(code_.size()); }
  /// In the order in which they are to be tried; without the exit.
  const std::vector<Pc>& successors(Pc pc) const { return successors_[pc]; }
  bool can_exit(Pc pc) const { return code_[pc].kind == FlowInstruction::Kind::Leave; }
  /// Whether the core must advance() after this instruction wherever it goes.
  bool may_part(Pc pc) const { return can_exit(pc) || successors_[pc].size() > 1; }
  /// Whether the core must advance() or jump() after this instruction wherever it goes.
  bool ends_block(Pc pc) const { return ends_block_[pc]; }
  /// First instruction of the immediate postdominator in the sense of ReconvergenceRule, from the definition (sets, no
  /// algorithm of the product's).
  Pc reconvergence(Pc pc) const { return reconvergence_[pc]; }
  /// Instructions to the nearest exit.
  unsigned distance(Pc pc) const { return distance_[pc]; }
  std::string to_string() const;

 private:
  void connect();
  void find_block_ends();
  void find_distances();
  void find_reconvergence();

  std::vector<FlowInstruction> code_;
  ReconvergenceRule rule_;
  std::vector<std::vector<Pc>> successors_;
  std::vector<bool> ends_block_;
  std::vector<Pc> reconvergence_;
  std::vector<unsigned> distance_;
};

}  // namespace warpfork::contract
