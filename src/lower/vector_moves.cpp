#include "lower/vector_moves.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lower/expansion.h"
#include "ptx/operand_elements.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::Operand;

bool is_vector_move(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Mov && instruction.vector_width > 1;
}

/// Whether an element is read behind the one that writes it.
bool elements_overlap(const ptx::Instruction& move) {
  const std::span<const Operand> to = ptx::elements_of(move.operands[0]), from = ptx::elements_of(move.operands[1]);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (std::ranges::find(from.subspan(i + 1), to[i]) != from.end()) return true;
  return false;
}

/// All elements are read before one is written.
void part_move(Expansion& out) {
  const ptx::TypeList& types = out.source.types;
  const std::span<const Operand> to = ptx::elements_of(out.source.operands[0]),
                                 from = ptx::elements_of(out.source.operands[1]);
  const bool by_others = elements_overlap(out.source);
  std::vector<ptx::Instruction> results;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].as<ptx::SinkOperand>() != nullptr) continue;
    Operand target = to[i];
    if (by_others) {
      target = ptx::RegisterOperand{out.fresh("%part", types[0])};
      results.push_back(out.made(Opcode::Mov, {}, types, {to[i], target}));
    }
    out.add_guarded(out.made(Opcode::Mov, {}, types, {target, from[i]}));
  }
  for (ptx::Instruction& result : results) out.add_guarded(std::move(result));
}

}  // namespace

void part_vector_moves(ptx::Function& function) { expand_each(function, is_vector_move, part_move); }

}  // namespace warpfork::lower
