// A core without a clock, every lane with a program counter of its own.
#include "fast_run.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "base/error.h"
#include "ptx/parser.h"
#include "reference_harness/records.h"
#include "simt/launch.h"
#include "simt/loaded_module.h"

namespace warpfork::simt {
namespace {

class WarpRun {
 public:
  WarpRun(const Program& program, WarpContext& context, RowLanes lanes, Grouping grouping, std::uint64_t seed)
      : program_(program), context_(context), running_(lanes), grouping_(grouping), random_(seed) {}

  /// Runs until every lane is at a barrier or gone; false if all are gone.
  bool run() {
    while ((running_ - waiting_).any()) step();
    return waiting_.any();
  }
  void release() { waiting_ = RowLanes(); }

 private:
  /// Lanes at the lowest PC, or some of them.
  RowLanes choose() {
    const RowLanes ready = running_ - waiting_;
    Pc lowest = kNoPc;
    ready.for_each([&](unsigned lane) { lowest = std::min(lowest, pc_[lane]); });
    RowLanes chosen;
    ready.for_each([&](unsigned lane) {
      if (pc_[lane] == lowest) chosen |= RowLanes::single(lane);
    });
    if (grouping_ == Grouping::Together || random_() % 2 == 0) return chosen;
    const RowLanes part = chosen & RowLanes(static_cast<std::uint32_t>(random_()));
    return part.any() ? part : chosen;
  }

  void step() {
    const RowLanes active = choose();
    const Pc pc = pc_[active.lowest()];
    const Instruction& instruction = program_.code.at(pc);
    const RowLanes lanes = guarded(instruction, context_, active);
    context_.pc = pc;
    active.for_each([&](unsigned lane) { ++pc_[lane]; });
    switch (instruction.kind) {
      case InstructionKind::Branch:
        lanes.for_each([&](unsigned lane) { pc_[lane] = instruction.target; });
        break;
      case InstructionKind::Exit:
        context_.live = running_ -= lanes;
        break;
      case InstructionKind::Barrier:
        waiting_ |= lanes;
        break;
      case InstructionKind::MemoryBarrier:
        break;
      default:
        if (lanes.any()) instruction.handler(instruction, context_, lanes);
    }
  }

  const Program& program_;
  WarpContext& context_;
  RowLanes running_, waiting_;
  Grouping grouping_;
  std::mt19937_64 random_;
  std::array<Pc, kRowLanes> pc_{};
};

void run_block(BlockContext& block, Dim3 index, Grouping grouping, std::uint64_t seed) {
  const Launch& launch = block.launch();
  block.start(index);
  std::vector<WarpRun> warps;
  for (WarpId id = 0; id < launch.warps_per_block(); ++id)
    warps.emplace_back(*launch.program, block.warp(id), RowLanes(block.lanes(id).bits()), grouping, seed + id);
  bool alive = true;
  while (alive) {
    alive = false;
    for (WarpRun& warp : warps) alive |= warp.run();
    for (WarpRun& warp : warps) warp.release();
  }
}

/// All blocks, in one context that is used again and again, as a core does.
void run_grid(const Launch& launch, Grouping grouping, std::uint64_t seed) {
  validate(launch);
  BlockContext context(launch);
  for (std::uint32_t z = 0; z < launch.grid.z; ++z)
    for (std::uint32_t y = 0; y < launch.grid.y; ++y)
      for (std::uint32_t x = 0; x < launch.grid.x; ++x) run_block(context, {x, y, z}, grouping, seed++);
}

HostInstructionSet instruction_set(std::uint64_t seed) {
  return seed % 2 != 0   ? HostInstructionSet::Baseline
         : seed % 4 != 0 ? std::min(HostInstructionSet::Avx2, host_instruction_set())
                         : host_instruction_set();
}

}  // namespace

std::vector<std::uint32_t> run_module_fast(std::string_view ptx, Dim3 grid, Dim3 block, std::size_t words,
                                           std::uint64_t seed) {
  DeviceMemory memory(1 << 24);
  LoadedModule module(ptx::parse(ptx, "module.ptx"), memory, instruction_set(seed));
  const reference::WordBuffer out(memory, words, module.module().address_bits / 8);
  Launch launch;
  launch.program = &module.kernel("body");
  launch.memory = &memory;
  launch.grid = grid;
  launch.block = block;
  launch.parameters = out.parameters();
  run_grid(launch, Grouping::Scattered, seed);
  return out.words();
}

Outcome run_fast(std::string_view body, const std::vector<ThreadRegisters>& threads, Grouping grouping,
                 std::uint64_t seed, std::string_view functions, const CodeOptions& code, LanePermutation lanes) {
  DeviceMemory memory(1 << 24);
  LoadedModule module(ptx::parse(reference::harness_ptx(body, functions), "body.ptx"), memory, instruction_set(seed),
                      code);
  reference::Records records(memory, threads);
  Launch launch;
  launch.program = &module.kernel("body");
  launch.memory = &memory;
  launch.grid = {1, 1, 1};
  launch.block = {static_cast<std::uint32_t>(threads.size()), 1, 1};
  launch.lane_permutation = lanes;
  launch.parameters = records.parameters();
  run_grid(launch, grouping, seed);
  return records.outcome();
}

}  // namespace warpfork::simt
