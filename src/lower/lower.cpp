#include "lower/lower.h"

#include <utility>

#include "base/error.h"
#include "lower/address_type.h"
#include "lower/bulk_copies.h"
#include "lower/cache_policies.h"
#include "lower/cluster_addresses.h"
#include "lower/cluster_barriers.h"
#include "lower/early_exits.h"
#include "lower/guarded_barriers.h"
#include "lower/inliner.h"
#include "lower/mbarriers.h"
#include "lower/parameter_promotion.h"
#include "lower/recursion.h"
#include "lower/stack_allocations.h"
#include "lower/synchronous_copies.h"
#include "lower/unread_channels.h"
#include "lower/vector_atomics.h"
#include "lower/vector_moves.h"
#include "lower/wide_vectors.h"
#include "lower/wmma.h"

namespace warpfork::lower {

namespace {

/// Blocks would find themselves in clusters of one each.
void refuse_clusters(const ptx::Module& module, const ptx::Function& entry) {
  const Dim3& blocks = entry.cluster;
  if (blocks == Dim3{1, 1, 1}) return;
  throw Error(
      "{}:{}: error: kernel '{}' needs clusters of {}x{}x{} blocks (.reqnctapercluster), which are not supported\n"
      "    they are of sm_90 or later: build for an older architecture, too (code=compute_80)",
      module.name, entry.location.line, entry.name, blocks.x, blocks.y, blocks.z);
}

}  // namespace

bool can_run_off_the_end(const ptx::Function& function) {
  if (function.body.empty()) return true;
  const ptx::Instruction& last = function.body.back();
  const bool leaves =
      last.opcode == ptx::Opcode::Ret || last.opcode == ptx::Opcode::Exit || last.opcode == ptx::Opcode::Bra;
  if (!leaves || last.guard) return true;
  for (const ptx::Instruction& instruction : function.body)
    for (const ptx::Operand& operand : instruction.operands)
      if (const auto* label = operand.as<ptx::LabelOperand>(); label && label->target == function.body.size())
        return true;
  return false;
}

ptx::Function lower(const ptx::Module& module, const ptx::Function& entry, const Lowering& lowering) {
  refuse_clusters(module, entry);
  auto [ready, recursion] = inline_calls(module, entry, lowering);
  promote_parameters(ready, address_type(module));
  lay_out_stack(ready, std::move(recursion), lowering.stack_bytes);
  allocate_on_stack(ready, lowering.stack_bytes);
  forget_cache_policies(ready);
  part_vector_atomics(ready);
  part_wide_vectors(ready);
  part_vector_moves(ready);
  make_copies_synchronous(ready);
  spell_out_bulk_copies(ready);
  spell_out_mbarriers(ready);
  forget_cluster_arrivals(ready);
  stay_in_own_block(ready);
  spell_out_wmma(ready);
  part_at_guarded_barriers(ready);
  leave_out_unread_channels(ready);
  if (can_run_off_the_end(ready)) {
    ptx::Instruction end;
    end.opcode = ptx::Opcode::Ret;
    end.location = ready.body.empty() ? ready.location : ready.body.back().location;
    ready.body.push_back(end);
  }
  exit_before_others_meet(ready);
  return std::move(ready);  // of a pair, which would be copied
}

}  // namespace warpfork::lower
