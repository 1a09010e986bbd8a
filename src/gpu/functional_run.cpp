#include "gpu/functional_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "gpu/functional_block.h"
#include "gpu/launch_facts.h"
#include "gpu/occupancy.h"

namespace warpfork::gpu {

namespace {

/// A block whose warps come to barriers again and again may poll between these: after so many rounds, twice, four times
/// … so many it is heard for some.
constexpr std::uint64_t kManyRounds = 1 << 12, kRoundsHeard = 16;
constexpr std::size_t kBlocksDescribed = 4;

void fill_in(const FunctionalCounts& counts, report::LaunchRecord& record) {
  record.active_lanes = counts.active_lanes;
  record.executed_thread_instructions = counts.executed;
  record.scalars.warp_instructions = counts.scalar;
  record.count_instructions();
}

}  // namespace

struct FunctionalBlocks::Run {
  Run(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options, Accessed accessed)
      : machine(machine),
        launch(launch),
        options(options),
        accessed(std::move(accessed)),
        state(*launch.program, machine.divergence) {}

  /// The block of that number begins.
  void start(std::uint64_t number) {
    if (idle.empty()) idle.push_back(std::make_unique<FunctionalBlock>(machine, launch, options, accessed, state));
    running.push_back(std::move(idle.back()));
    idle.pop_back();
    running.back()->start(launch.grid.position_of(number));
  }
  /// Blocks that have ended make room for others.
  void retire() {
    for (auto& block : running)
      if (!block->is_running()) idle.push_back(std::move(block));
    std::erase(running, nullptr);
  }

  void tell(std::uint64_t finished) const {
    if (options.progress) options.progress->advanced(0, finished);
  }

  /// The only block that runs goes on to its end. False if it gets nowhere, and others could start.
  bool run_alone(bool others_left) {
    FunctionalBlock& block = *running.front();
    for (std::uint64_t round = 1; block.is_running(); ++round) {
      const unsigned watched_turn = block.watched_turn();
      const std::uint64_t of_many = round < kManyRounds ? kRoundsHeard : round - std::bit_floor(round);
      if (watched_turn != 0 || of_many == 0) state.begin_to_hear(true);
      block.go_on(watched_turn, watched_turn != 0 || of_many < kRoundsHeard);
      if ((watched_turn == 0 && of_many != kRoundsHeard - 1) || !block.is_running()) continue;
      const bool is_stuck = state.is_stuck(block.block());
      if (others_left && (is_stuck || state.polling.gets_nowhere(block.block()))) return false;
      if (is_stuck) throw livelocked();
    }
    cut_off = block.cut_off();
    return true;
  }

  /// All that run have a round in turn, as FunctionalBlock::go_on() says.
  void go_on_together(unsigned watched_turn) {
    if (watched_turn != 0) state.begin_to_hear(true);
    used_up_turn = false;
    for (const auto& block : running) {
      block->go_on(watched_turn, watched_turn != 0);
      used_up_turn |= block->used_up_turn();
      if (cut_off = block->cut_off(); !cut_off.empty()) return;
    }
    const auto is_stuck = [&](const auto& block) { return state.is_stuck(block->block()); };
    if (watched_turn != 0 && std::ranges::all_of(running, is_stuck)) throw livelocked();
  }

  /// Those that run, and the others up to `end` as soon as there is room for them, in their order; `next` is the first
  /// of these.
  void run_together(std::uint64_t next, std::uint64_t end, std::uint64_t most) {
    state.is_waited = true;
    state.is_alone = false;
    for (std::uint64_t round = 1; cut_off.empty();) {
      for (; next < end && running.size() < most; ++next) start(next);
      if (running.empty()) break;
      const bool is_watched = used_up_turn && kShortTurns.is_watched(round) && state.livelock.can_claim();
      go_on_together(is_watched ? static_cast<unsigned>(kShortTurns.watched * round) : 0);
      round += used_up_turn;
      retire();
      tell(next - running.size());
    }
  }

  Error livelocked() const {
    std::string text;
    bool holds_back = false;
    for (std::size_t n = 0; n < running.size(); ++n) {
      holds_back |= LivelockWatch::holds_back(running[n]->block());
      if (n < kBlocksDescribed) text += running[n]->describe();
    }
    if (running.size() > kBlocksDescribed)
      text += fmt::format("and {} more\n", counted(running.size() - kBlocksDescribed, "block"));
    return livelock_without_time(*launch.program, running.size(), holds_back, text);
  }

  /// Blocks that the machine holds at a time.
  std::uint64_t most_blocks() const {
    const unsigned of_core =
        occupancy(machine.core, *launch.program, launch.threads_per_block(), launch.dynamic_shared_bytes)
            .blocks_per_core;
    return std::uint64_t{std::max(of_core, 1u)} * machine.cores;
  }

  const MachineSpec& machine;
  const simt::Launch& launch;
  const LaunchOptions& options;
  Accessed accessed;
  FunctionalState state;
  std::vector<std::unique_ptr<FunctionalBlock>> running, idle;
  bool used_up_turn = false;  // of the last round of those that run together: some warp its turn
  std::string cut_off;
};

FunctionalBlocks::FunctionalBlocks(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                                   Accessed accessed)
    : run_(std::make_unique<Run>(machine, launch, options, std::move(accessed))) {}

FunctionalBlocks::~FunctionalBlocks() = default;

void FunctionalBlocks::run(std::uint64_t first, std::uint64_t end) {
  if (run_->launch.is_cooperative()) return run_->run_together(first, end, end - first);
  for (std::uint64_t n = first; n < end && cut_off().empty(); ++n) {
    run_->start(n);
    if (!run_->run_alone(n + 1 < end)) return run_->run_together(n + 1, end, run_->most_blocks());
    run_->retire();
    run_->tell(n + 1);
  }
}

void FunctionalBlocks::fill(report::LaunchRecord& record) const { fill_in(run_->state.counts, record); }

const std::string& FunctionalBlocks::cut_off() const { return run_->cut_off; }

report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options) {
  report::LaunchRecord record = launch_facts(launch);
  FunctionalBlocks blocks(machine, launch, options);
  blocks.run(0, launch.grid.count());
  blocks.fill(record);
  record.cut_off = blocks.cut_off();
  return record;
}

}  // namespace warpfork::gpu
