#include "simt/execution_error.h"

#include "base/error.h"
#include "ptx/instruction_text.h"
#include "simt/memory_check.h"

namespace warpfork::simt {

namespace {

std::string position_text(Dim3 position) { return fmt::format("({},{},{})", position.x, position.y, position.z); }

}  // namespace

Dim3 thread_of(const WarpContext& warp, unsigned lane) {
  return warp.block->launch().block.position_of(thread_number(warp, lane));
}

std::string failure_text(const Instruction& instruction, const WarpContext& warp, unsigned lane, std::string_view cause,
                         std::string_view remedy) {
  const Program& program = *warp.block->launch().program;
  const auto pc = static_cast<std::size_t>(&instruction - program.code.data());
  const ptx::Instruction& source = program.function->body[pc];
  const MemoryCheck* check = warp.block->launch().memory_check;
  const std::string read_before = check == nullptr ? "" : check->describe();
  return fmt::format("{}: error: kernel '{}', thread {} of block {}: {}\n    instruction {}: {}{}\n    {}{}{}",
                     place_of(*program.module, source), program.name, position_text(thread_of(warp, lane)),
                     position_text(warp.block->index()), cause, pc, mnemonic(source),
                     source_place_of(*program.module, source), remedy, read_before.empty() ? "" : "\n    ",
                     read_before);
}

void fail(const Instruction& instruction, const WarpContext& warp, unsigned lane, std::string_view cause,
          std::string_view remedy) {
  throw Error(failure_text(instruction, warp, lane, cause, remedy));
}

}  // namespace warpfork::simt
