#include "simt/wide_warps.h"

#include <algorithm>

#include "analysis/meetings.h"
#include "base/error.h"
#include "ptx/instruction_text.h"
#include "ptx/operand_walk.h"

namespace warpfork::simt {

namespace {

bool reads_lane_mask(const ptx::Instruction& instruction) {
  bool found = false;
  for (const ptx::Operand& operand : instruction.operands)
    ptx::walk(operand, [&](const ptx::Operand& part) {
      const auto* special = std::get_if<ptx::SpecialRegisterOperand>(&part);
      found |= special && special->name >= ptx::SpecialRegister::LanemaskEq &&
               special->name <= ptx::SpecialRegister::LanemaskGt;
    });
  return found;
}

}  // namespace

/// What lets lanes of a warp see one another names them by a 32-bit mask or a lane's five bits.
void refuse_lane_words(const Program& program, unsigned warp_size) {
  const auto names_lanes = [](const ptx::Instruction& instruction) {
    return analysis::reads_other_lanes(instruction) || reads_lane_mask(instruction);
  };
  const std::vector<ptx::Instruction>& body = program.function->body;
  const auto found = std::ranges::find_if(body, names_lanes);
  if (found == body.end()) return;
  throw Error(
      "{}: error: kernel '{}': '{}' {}, in which the lanes of a warp have 32 places; this machine's warps have {} "
      "threads\n"
      "  run it on a machine whose core.warp_size is at most 32, or let its threads meet in shared memory",
      ptx::place_of(*program.module, *found), program.name, ptx::mnemonic(*found),
      analysis::reads_other_lanes(*found) ? "takes or gives a mask or number of lanes" : "reads a %lanemask register",
      warp_size);
}

}  // namespace warpfork::simt
