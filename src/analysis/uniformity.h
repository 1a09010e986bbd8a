// Which instructions and registers are one for all threads of a warp: scalarization (STSIMT section 4.2, Figure 3).
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/divergence_source.h"
#include "analysis/influence_region.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/scalar_rule.h"

namespace warpfork::analysis {

/// Why an instruction or a register is one for each thread, not one for all.
struct VectorCause {
  enum class Kind : std::uint8_t {
    None,                 // it is scalar
    Source,               // of an instruction: `source`
    Operand,              // of an instruction: it reads `register_id`
    Result,               // of an instruction: it writes `register_id`
    NotTogether,          // of an instruction: threads may have parted at `branch` (rule ConvergentOnly)
    Written,              // of a register: by the vector instruction at `pc`
    AliveWhereTheyMeet,   // of a register: written at `pc`, on a side of `branch`, and read behind both
    AliveOnTheOtherSide,  // of a register: written at `pc`, on a side of `branch`, while another needs its old value
    UsedOnTheOtherSide,   // of a register: likewise, while another runs at the same time (rule DivergentAtOnce)
  };
  Kind kind = Kind::None;
  DivergenceSource source{};
  ptx::RegisterId register_id = 0;
  Pc pc = 0, branch = 0;
};

/// What the analysis may assume besides the text of the function, which must be flat: calls inlined, system calls left.
struct UniformityOptions {
  ScalarRule rule = ScalarRule::Divergent;
  bool rows_fill_warps = false;           // as in SourceAssumptions
  Leavers leavers = Leavers::DoNotCount;  // as in Postdominators: where the machine's threads meet
};

/// The paper's algorithm: all is scalar at first; sources, what is computed from them, and what divergent branches
/// decide become vector until nothing changes. A scalar instruction sees equal operands in all threads that execute it
/// and writes scalar registers alone: hardware executes it once. A scalar register has one value for all threads that
/// may still read it. Registers that nobody mentions are scalar.
class Uniformity {
 public:
  Uniformity(const ptx::Function& function, const ControlFlowGraph& graph, const Liveness& liveness,
             const UniformityOptions& options);

  bool is_scalar_instruction(Pc pc) const { return of(pc).kind == VectorCause::Kind::None; }
  bool is_scalar_register(ptx::RegisterId id) const { return of_register(id).kind == VectorCause::Kind::None; }
  const VectorCause& of(Pc pc) const { return instructions_[pc]; }
  const VectorCause& of_register(ptx::RegisterId id) const { return registers_[id]; }
  RegisterSet scalar_registers() const;

  /// Scalar instructions, of all in the text.
  unsigned scalar_instructions() const;

 private:
  bool classify(Pc pc);
  VectorCause cause_of(Pc pc) const;
  bool shares_result(Pc pc) const;
  bool mark(ptx::RegisterId id, const VectorCause& cause);
  bool is_divergent(BlockId block) const;
  void part_at(BlockId block);
  void leave_together(const BranchSide& side, Pc branch);
  VectorCause cause_at(ptx::RegisterId id, const BranchSide& side, const InfluenceRegion& region) const;
  Pc write_of(ptx::RegisterId id, const BranchSide& side) const;

  const ptx::Function* function_;
  const ControlFlowGraph* graph_;
  Postdominators postdominators_;
  const Liveness* liveness_;
  ScalarRule rule_;
  SourceAssumptions given_;
  std::vector<VectorCause> instructions_, registers_;
};

}  // namespace warpfork::analysis
