#include "simt/whole_warp.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ptx/instruction_text.h"
#include "simt/execution_error.h"

namespace warpfork::simt {

namespace {

bool takes_whole_warp(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::Mma || instruction.opcode == ptx::Opcode::Ldmatrix ||
         instruction.opcode == ptx::Opcode::Stmatrix || instruction.opcode == ptx::Opcode::Movmatrix;
}

}  // namespace

void refuse_whole_warps(const Program& program, std::string_view machine, std::string_view remedy) {
  const std::vector<ptx::Instruction>& body = program.function->body;
  const auto found = std::ranges::find_if(body, takes_whole_warp);
  if (found == body.end()) return;
  throw Error(
      "{}: error: kernel '{}': '{}' takes matrices of which 32 threads hold a part each; this machine's {}\n  {}",
      ptx::place_of(*program.module, *found), program.name, ptx::mnemonic(*found), machine, remedy);
}

void check_whole_warp(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  if (lanes.full() || lanes.none()) return;
  const RowLanes apart = warp.live - lanes;
  if (apart.none())
    fail(instruction, warp, lanes.lowest(),
         fmt::format("it takes the 32 threads of a warp, of which {} are there", lanes.count()),
         "start a multiple of 32 threads in each block, of which none exits before it");
  const Dim3 missing = thread_of(warp, apart.lowest());
  fail(instruction, warp, lanes.lowest(),
       fmt::format("it takes the 32 threads of a warp, and thread ({},{},{}) does not execute it as well", missing.x,
                   missing.y, missing.z),
       "a branch (or a mechanism that regroups threads) has parted them: put it where they meet again, and let all "
       "threads of a warp take the same way around it");
}

}  // namespace warpfork::simt
