#include "lower/early_exits.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/cfg.h"
#include "lower/body_edit.h"
#include "lower/guarded_barriers.h"

namespace warpfork::lower {

namespace {

using analysis::BlockId;
using analysis::ControlFlowGraph;
using ptx::Modifier;
using ptx::Opcode;

/// Whether the instruction waits for other threads, or names threads that must be there.
bool meets(const ptx::Instruction& instruction) {
  return waits_at_barrier(instruction) || instruction.has(Modifier::Sync);
}

class EarlyExits {
 public:
  explicit EarlyExits(ptx::Function& function)
      : function_(function), graph_(function), leads_to_meeting_(graph_.blocks().size(), false), edit_(function) {
    find_meetings();
  }

  void make() {
    for (Pc pc = 0; pc < function_.body.size(); ++pc)
      if (is_plain_branch(pc)) change(pc);
    if (!edit_.empty()) edit_.apply();
  }

 private:
  void find_meetings() {
    std::vector<BlockId> to_visit;
    for (Pc pc = 0; pc < function_.body.size(); ++pc)
      if (meets(function_.body[pc])) to_visit.push_back(graph_.block_of(pc));
    while (!to_visit.empty()) {
      const BlockId block = to_visit.back();
      to_visit.pop_back();
      if (leads_to_meeting_[block]) continue;
      leads_to_meeting_[block] = true;
      const std::vector<BlockId>& before = graph_.blocks()[block].predecessors;
      to_visit.insert(to_visit.end(), before.begin(), before.end());
    }
  }
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
  if (std::any_of(function.body.begin(), function.body.end(), meets)) EarlyExits(function).make();
}

}  // namespace warpfork::lower
