#include "gpu/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace warpfork::gpu {

namespace {

report::RegisterCount registers_of(const simt::Program& program, unsigned warp_size) {
  report::RegisterCount count;
  if (program.allocation) {
    count.vector = program.allocation->vector_registers;
    count.scalar = program.allocation->scalar_registers;
  } else if (program.scalars.rule) {
    count.vector = program.scalars.live_vectors;
    count.scalar = program.scalars.live_scalars;
  } else {
    count.vector = program.live_registers;
  }
  count.warp = count.vector * warp_size + count.scalar;
  return count;
}

/// What helps threads of one warp, or of one block, that come to barriers apart from one another.
std::string where_they_meet(const DivergenceMechanism& mechanism) {
  constexpr std::string_view kOfSides =
      "  if warps of a block come to a barrier by different sides of a branch, as those with roles of their own do, "
      "they meet there under --divergence pdom\n";
  constexpr std::string_view kOfPaths =
      "  if threads of one warp come to a barrier by different paths, as code for sm_70 and later may, they meet there "
      "under --divergence multi-path\n";
  constexpr std::string_view kBehind =
      "  if some of a warp wait where a branch or a loop ends for others, which wait at a barrier for them, they go on "
      "under --divergence thread-frontier\n";
  return fmt::format("{}{}{}", mechanism.sides_take_turns ? kOfSides : "", mechanism.waits_as_a_warp ? kOfPaths : "",
                     mechanism.waits_at_reconvergence ? kBehind : "");
}

constexpr std::string_view kHeldBack =
    "  if they wait for a thread of their own warp that is held back (a lock that it holds), it may run under "
    "--divergence thread-frontier or convergence-barrier\n";
constexpr std::string_view kFromOutside =
    "  if they wait for the host or for a kernel in another stream: launches run at once, one after the other\n";

Error deadlock_when(const simt::Program& program, const DivergenceMechanism& mechanism, std::string_view when,
                    const std::string& state) {
  const bool at_barrier = state.find("waits at the barrier") != std::string::npos;
  return Error("kernel '{}' is deadlocked {}: no thread can ever go on\n{}{}", program.name, when,
               at_barrier ? where_they_meet(mechanism) : "", state);
}

}  // namespace

report::LaunchRecord launch_facts(const simt::Launch& launch) {
  report::LaunchRecord record;
  record.name = launch.program->name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.warp_size = launch.warp_size;
  const simt::Program& program = *launch.program;
  record.registers = registers_of(program, launch.warp_size);
  if (!program.scalars.rule) return record;
  record.scalars.launches = 1;
  record.scalars.code = program.code.size();
  record.scalars.scalar_code = static_cast<std::uint64_t>(
      std::ranges::count_if(program.code, [](const simt::Instruction& instruction) { return instruction.scalar; }));
  record.scalars.live_vector_registers = program.scalars.live_vectors;
  record.scalars.live_scalar_registers = program.scalars.live_scalars;
  return record;
}

void name_branches(report::LaunchRecord& record, const simt::Program& program) {
  for (report::BranchCount& branch : record.branches) {
    const ptx::Location& location = program.function->body[branch.pc].location;
    branch.ptx_line = location.line;
    branch.source = {program.module->source_name(location), location.source_line};
  }
}

Error deadlock(const simt::Program& program, const DivergenceMechanism& mechanism, Cycle now,
               const std::string& state) {
  return deadlock_when(program, mechanism, fmt::format("at cycle {}", now), state);
}

Error deadlock_without_time(const simt::Program& program, const DivergenceMechanism& mechanism,
                            std::uint64_t instructions, const std::string& state) {
  return deadlock_when(program, mechanism, fmt::format("after {} warp instructions of a block", instructions), state);
}

Error livelock(const simt::Program& program, const DivergenceMechanism& mechanism, Cycle now,
               const std::string& state) {
  return Error(
      "kernel '{}' is livelocked at cycle {}: no thread can ever get any further; those that run repeat themselves and "
      "change nothing\n{}{}{}",
      program.name, now, mechanism.waits_at_reconvergence && !mechanism.changes_paths ? kHeldBack : "", kFromOutside,
      state);
}

Error livelock_without_time(const simt::Program& program, std::size_t blocks, bool holds_back,
                            const std::string& state) {
  return Error(
      "kernel '{}' is livelocked: no thread can ever get any further; those that run repeat themselves and change "
      "nothing; without timing {} at a time\n{}{}{}",
      program.name, blocks == 1 ? "1 block runs" : fmt::format("{} blocks run", blocks), holds_back ? kHeldBack : "",
      kFromOutside, state);
}

std::string still_running(const simt::Program& program, const ReachedLimit& limit, const std::string& state) {
  return fmt::format("kernel '{}' still ran after {} {} ({})\n{}", program.name, limit.most, limit.unit, limit.option,
                     state);
}

}  // namespace warpfork::gpu
