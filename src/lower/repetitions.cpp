#include "lower/repetitions.h"

#include <utility>

#include "lower/rename_register.h"

namespace warpfork::lower {

using ptx::RegisterId;

void Repetitions::repeat(Pc definition, RegisterId id, const Cluster& cluster) {
  const auto copy = static_cast<RegisterId>(function_.registers.size());
  function_.registers.push_back(function_.registers[id]);
  ptx::Instruction again = function_.body[definition];
  again.operands[0] = ptx::RegisterOperand{copy};
  for (const Pc read : cluster.reads) {
    rename_register(function_.body[read], id, copy);
    renamed_.push_back({read, id, copy});
  }
  edit_.insert_before(cluster.first, std::move(again));
}

bool Repetitions::apply(analysis::ControlFlowGraph& graph) {
  is_applied_ = !edit_.empty();
  if (!is_applied_) return false;
  const std::vector<Pc> place = edit_.apply();
  std::vector<Pc> firsts;
  for (const analysis::Block& block : graph.blocks()) firsts.push_back(place[block.first]);
  graph.set_bounds(firsts, static_cast<Pc>(function_.body.size()));
  return true;
}

void Repetitions::undo() {
  if (is_applied_) edit_.revert();
  for (const Renamed& each : renamed_) rename_register(function_.body[each.read], each.copy, each.id);
  function_.registers.resize(registers_);
}

}  // namespace warpfork::lower
