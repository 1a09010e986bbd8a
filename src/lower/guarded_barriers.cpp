#include "lower/guarded_barriers.h"

#include <algorithm>
#include <utility>

#include "analysis/meetings.h"
#include "lower/label_places.h"

namespace warpfork::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;

bool waits_in_part(const ptx::Instruction& instruction) {
  return analysis::waits_at_barrier(instruction) && instruction.guard && !instruction.has(Modifier::Warp);
}

}  // namespace

void part_at_guarded_barriers(ptx::Function& function) {
  if (std::none_of(function.body.begin(), function.body.end(), waits_in_part)) return;
  std::vector<Pc> place;  // of every old instruction, with the branch before it
  Pc next = 0;
  for (const ptx::Instruction& instruction : function.body) {
    place.push_back(next);
    next += waits_in_part(instruction) ? 2 : 1;
  }
  place.push_back(next);
  move_labels(function.body, place);

  std::vector<ptx::Instruction> body;
  for (ptx::Instruction& instruction : function.body) {
    if (waits_in_part(instruction)) {
      ptx::Instruction skip;
      skip.opcode = Opcode::Bra;
      skip.guard = ptx::Guard{instruction.guard->predicate, !instruction.guard->negated};
      skip.operands = {ptx::LabelOperand{"after barrier", static_cast<Pc>(body.size() + 2)}};
      skip.location = instruction.location;
      body.push_back(std::move(skip));
      instruction.guard.reset();
    }
    body.push_back(std::move(instruction));
  }
  function.body = std::move(body);
}

}  // namespace warpfork::lower
