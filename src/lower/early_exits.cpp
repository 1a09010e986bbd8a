#include "lower/early_exits.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/meetings.h"
#include "analysis/ways.h"
#include "lower/body_edit.h"

namespace warpfork::lower {

namespace {

using analysis::ControlFlowGraph;
using ptx::Modifier;
using ptx::Opcode;

class EarlyExits {
 public:
  explicit EarlyExits(ptx::Function& function)
      : function_(function),
        graph_(function),
        leads_to_meeting_(analysis::blocks_that_lead_to_meeting(graph_)),
        edit_(function) {}

  void make() {
    for (Pc pc = 0; pc < function_.body.size(); ++pc)
      if (is_plain_branch(pc)) change(pc);
    if (!edit_.empty()) edit_.apply();
  }

 private:
  /// One that threads of a warp may take apart from others.
  bool is_plain_branch(Pc pc) const {
    const ptx::Instruction& instruction = function_.body[pc];
    return instruction.opcode == Opcode::Bra && instruction.guard && !instruction.has(Modifier::Uni);
  }
  void change(Pc pc) {
    ptx::Instruction& branch = function_.body[pc];
    const Pc target = analysis::flow_after(function_, pc).targets.front();
    if (leaves(target) && meets_from(pc + 1)) {
      branch.opcode = Opcode::Ret;
      branch.operands.clear();
    } else if (leaves(pc + 1) && meets_from(target)) {
      ptx::Instruction exit;
      exit.opcode = Opcode::Ret;
      exit.guard = ptx::Guard{branch.guard->predicate, !branch.guard->negated};
      exit.location = branch.location;
      edit_.insert_before(pc, std::move(exit));
      branch.guard.reset();
    }
  }
  /// Whether threads leave here, having done nothing.
  bool leaves(Pc pc) const {
    for (std::size_t jumps = 0; pc < function_.body.size() && jumps < function_.body.size(); ++jumps) {
      const ptx::Instruction& instruction = function_.body[pc];
      if (instruction.guard) return false;
      if (instruction.opcode == Opcode::Ret || instruction.opcode == Opcode::Exit) return true;
      if (instruction.opcode != Opcode::Bra) return false;
      pc = analysis::flow_after(function_, pc).targets.front();
    }
    return false;
  }
  bool meets_from(Pc pc) const { return pc < function_.body.size() && leads_to_meeting_[graph_.block_of(pc)]; }

  ptx::Function& function_;
  ControlFlowGraph graph_;
  std::vector<bool> leads_to_meeting_;  // by block
  BodyEdit edit_;
};

}  // namespace

void exit_before_others_meet(ptx::Function& function) {
  if (std::ranges::any_of(function.body, analysis::is_meeting)) EarlyExits(function).make();
}

}  // namespace warpfork::lower
