#include "unit/simulation/functional_sink.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/error.h"
#include "divergence/registry.h"

namespace warpfork::simulation {

namespace {

using Histogram = std::array<std::uint64_t, simt::kRowLanes + 1>;

/// One block, warp after warp, split after split, until nothing is runnable.
class BlockRun {
 public:
  BlockRun(simt::BlockContext& block, DivergenceDomain& domain, Histogram& issued)
      : block_(block), domain_(domain), issued_(issued) {}

  void run() {
    std::vector<ActiveMask> lanes;
    for (WarpId warp = 0; warp < warps(); ++warp) lanes.push_back(block_.lanes(warp));
    domain_.launch(0, lanes);
    while (progress() || open_barrier()) continue;
    for (WarpId warp = 0; warp < warps(); ++warp)
      if (domain_.live(warp).any()) throw Error("the block deadlocks");
  }

 private:
  unsigned warps() const { return block_.launch().warps_per_block(); }

  bool progress() {
    bool any = false;
    for (WarpId warp = 0; warp < warps(); ++warp)
      while (!domain_.runnable(warp).empty()) {
        any = true;
        issue(domain_.runnable(warp).front());
      }
    return any;
  }

  bool open_barrier() {
    const std::vector<SplitId> waiting = std::exchange(waiting_, {});
    for (const SplitId id : waiting) {
      domain_.release(id);
      go_on(id, domain_.split(id).lanes, {});
    }
    return !waiting.empty();
  }

  void issue(SplitId id) {
    const WarpSplit split = domain_.split(id);
    const simt::Instruction& instruction = block_.launch().program->code[split.pc];
    simt::WarpContext& warp = block_.warp(split.warp);
    const simt::RowLanes row = simt::guarded(instruction, warp, simt::in_row(split.lanes, 0));
    const ActiveMask lanes = simt::of_row(row, 0);
    ++issued_[split.lanes.count()];
    switch (instruction.kind) {
      case simt::InstructionKind::Branch:
        return go_on(id, split.lanes - lanes, lanes);
      case simt::InstructionKind::Exit:
        warp.live -= row;
        return go_on(id, split.lanes - lanes, {});
      case simt::InstructionKind::Barrier:
        waiting_.push_back(id);
        domain_.wait(id);
        return;
      default:
        warp.pc = split.pc;
        if (instruction.handler) instruction.handler(instruction, warp, row);
        return go_on(id, split.lanes, {});
    }
  }

  void go_on(SplitId id, ActiveMask onward, ActiveMask taken) {
    const WarpSplit& split = domain_.split(id);
    const simt::Instruction& instruction = block_.launch().program->code[split.pc];
    if (!instruction.may_part()) {
      domain_.jump(id, taken.any() ? instruction.target : split.pc + 1);
      return;
    }
    std::vector<Path> paths;
    if (taken.any()) paths.push_back({instruction.target, taken});
    if (onward.any()) paths.push_back({split.pc + 1, onward});
    domain_.advance(id, paths, instruction.reconvergence);
  }

  simt::BlockContext& block_;
  DivergenceDomain& domain_;
  Histogram& issued_;
  std::vector<SplitId> waiting_;
};

}  // namespace

cuda::LaunchOutcome FunctionalSink::run(const simt::Launch& launch) {
  simt::validate(launch);
  Histogram issued{};
  simt::BlockContext block(launch);
  for (std::uint32_t z = 0; z < launch.grid.z; ++z)
    for (std::uint32_t y = 0; y < launch.grid.y; ++y)
      for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
        block.start({x, y, z});
        const auto domain = find_divergence_mechanism(mechanism_).make({});
        BlockRun(block, *domain, issued).run();
      }
  cuda::LaunchOutcome outcome;
  outcome.record.name = launch.program->name;
  outcome.record.grid = launch.grid;
  outcome.record.block = launch.block;
  std::ranges::copy(issued, outcome.record.active_lanes.begin());
  outcome.record.count_instructions();
  return outcome;
}

}  // namespace warpfork::simulation
