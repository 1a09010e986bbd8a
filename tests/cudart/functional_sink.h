// A launch sink without timing, for tests of the CUDA runtime: every instruction costs one cycle.
#pragma once

#include <array>
#include <vector>

#include "cuda/launch_sink.h"
#include "simt/launch.h"

namespace warpfork::cuda {

/// Runs warps in turn, of each always the threads at the lowest instruction: enough for structured code.
class FunctionalSink final : public LaunchSink {
 public:
  LaunchOutcome run(const simt::Launch& launch) override {
    Cycle cycles = 0;
    simt::BlockContext block(launch);
    for (std::uint32_t z = 0; z < launch.grid.z; ++z)
      for (std::uint32_t y = 0; y < launch.grid.y; ++y)
        for (std::uint32_t x = 0; x < launch.grid.x; ++x) cycles += run_block(launch, block, {x, y, z});
    LaunchOutcome outcome{cycles, {}};
    outcome.record.name = launch.program->name;
    outcome.record.cycles = cycles;
    return outcome;
  }

  Residency residency(const simt::Program&, unsigned threads, std::uint32_t) const override {
    return {1536 / threads, {"threads"}};
  }

  void copied_from_host(std::uint64_t, std::uint64_t) override {}

 private:
  struct Warp {
    simt::RowLanes alive, waiting;  // waiting at a barrier
    std::array<Pc, simt::kRowLanes> pc{};
  };

  Cycle run_block(const simt::Launch& launch, simt::BlockContext& block, Dim3 index) {
    block.start(index);
    std::vector<Warp> warps(launch.warps_per_block());
    for (WarpId id = 0; id < warps.size(); ++id) warps[id].alive = simt::in_row(block.lanes(id), 0);
    Cycle cycles = 0;
    for (bool any = true; any;) {
      any = false;
      for (WarpId id = 0; id < warps.size(); ++id)
        while ((warps[id].alive - warps[id].waiting).any()) {
          step(*launch.program, block.warp(id), warps[id]);
          ++cycles;
        }
      for (Warp& warp : warps) {  // everybody who is left waits: the barrier opens
        any |= warp.alive.any();
        warp.waiting = simt::RowLanes();
      }
    }
    return cycles;
  }

  static void step(const simt::Program& program, simt::WarpContext& context, Warp& warp) {
    const simt::RowLanes ready = warp.alive - warp.waiting;
    Pc lowest = kNoPc;
    ready.for_each([&](unsigned lane) { lowest = std::min(lowest, warp.pc[lane]); });
    simt::RowLanes active;
    ready.for_each([&](unsigned lane) {
      if (warp.pc[lane] == lowest) active |= simt::RowLanes::single(lane);
    });
    const simt::Instruction& instruction = program.code.at(lowest);
    context.pc = lowest;
    const simt::RowLanes lanes = simt::guarded(instruction, context, active);
    active.for_each([&](unsigned lane) {
      const bool jumps = instruction.kind == simt::InstructionKind::Branch && lanes.contains(lane);
      warp.pc[lane] = jumps ? instruction.target : lowest + 1;
    });
    if (instruction.kind == simt::InstructionKind::Exit)
      context.live = warp.alive -= lanes;
    else if (instruction.kind == simt::InstructionKind::Barrier)
      warp.waiting |= lanes;
    else if (instruction.handler && lanes.any())
      instruction.handler(instruction, context, lanes);
  }
};

}  // namespace warpfork::cuda
