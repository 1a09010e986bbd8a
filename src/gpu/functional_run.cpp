#include "gpu/functional_run.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/launch_facts.h"
#include "gpu/livelock_watch.h"
#include "gpu/resident_block.h"

namespace warpfork::gpu {

namespace {

using simt::Instruction;
using simt::InstructionKind;

constexpr unsigned kTurn = 1 << 16;  // warp instructions a warp may run before the others get a turn
// In rounds of this number, twice, four times … this number a livelock is looked for; a warp's turn is then shorter: so
// many instructions times the number of the round. Only rounds in which some warp's turn ended are numbered: whoever
// goes round for ever uses it up.
constexpr unsigned kFirstWatched = 4, kWatchedTurn = 1 << 9;
constexpr unsigned kSplitTurn = 256;  // and a split, before the other splits of its warp

/// Executes the blocks of a launch and counts issued instructions.
class FunctionalRun {
 public:
  FunctionalRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options)
      : launch_(launch),
        options_(options),
        block_(launch, find_divergence_mechanism(machine.divergence.mechanism).make(machine.divergence.options())),
        watch_(*launch.program, machine.divergence),
        may_run_alone_(block_.rows() == 1 && !launch.program->scalars.rule && launch.memory_check == nullptr) {}

  /// Why the launch was cut off; empty if it was not.
  const std::string& cut_off() const { return cut_off_; }

  void run_block(Dim3 index) {
    block_.start(index, 0);
    executed_before_ += std::exchange(executed_in_block_, 0);
    used_up_turn_ = false;
    std::uint64_t round = 1;
    while (!block_.finished() && cut_off_.empty()) {
      const bool is_watched =
          used_up_turn_ && round >= kFirstWatched && std::has_single_bit(round) && watch_.can_claim();
      if (is_watched) watch_.begin();
      if (!run_round(is_watched ? static_cast<unsigned>(kWatchedTurn * round) : 0))
        throw deadlock(*launch_.program, executed_in_block_, block_.describe());
      if (is_watched && watch_.is_stuck(block_)) throw livelock(*launch_.program, executed_in_block_, state());
      if (used_up_turn_) ++round;
    }
  }

  void fill(report::LaunchRecord& record) const {
    record.active_lanes = active_lanes_;
    record.executed_thread_instructions = executed_;
    record.scalars.warp_instructions = scalar_;
    record.count_instructions();
  }

 private:
  /// Every warp has its turn, of `watched_turn` instructions of which the watch hears if that is not 0. False if none
  /// could start.
  bool run_round(unsigned watched_turn) {
    bool any = false;
    used_up_turn_ = false;
    for (WarpId warp = 0; warp < block_.warps() && cut_off_.empty(); ++warp) {
      any |= run_warp(warp, watched_turn);
      if (options_.max_cycles != 0 && executed_in_block_ > options_.max_cycles)
        cut_off({options_.max_cycles, "warp instructions of one block", "--max-cycles"});
      else if (options_.max_instructions != 0 && executed_before_ + executed_in_block_ > options_.max_instructions)
        cut_off({options_.max_instructions, "warp instructions", "--max-instructions"});
    }
    return any;
  }

  /// Runs the warp's splits in turn until it has none or its turn is over. False if it could not start.
  bool run_warp(WarpId warp, unsigned watched_turn) {
    DivergenceDomain& domain = block_.domain();
    const unsigned length = watched_turn != 0 ? watched_turn : kTurn;
    unsigned left = length;
    turn_ = 0;
    while (left > 0) {
      const std::span<const SplitId> runnable = domain.runnable(warp);
      if (runnable.empty()) break;
      const bool is_alone = runnable.size() == 1;
      const unsigned limit = is_alone ? left : std::min(left, kSplitTurn);
      const SplitId id = runnable[turn_++ % runnable.size()];
      const unsigned count = watched_turn != 0 ? run_watched(id) : run_split(id, limit, is_alone);
      executed_in_block_ += count;
      left -= count;
    }
    used_up_turn_ |= left == 0;
    return left < length;
  }

  /// A single instruction, of which the watch hears.
  unsigned run_watched(SplitId id) {
    const Step step = block_.execute(id, executed_in_block_);
    watch_.stepped(block_, step);
    executed_ += step.executed.count();
    scalar_ += step.instruction->scalar;
    ++active_lanes_[step.active.count()];
    return 1;
  }

  void cut_off(const ReachedLimit& limit) { cut_off_ = still_running(*launch_.program, limit, state()); }

  std::string state() const {
    return block_.describe([](const WarpSplit&) { return "is"; });
  }

  /// Runs the split up to and including the first instruction that may change what is runnable or, if others of its
  /// warp are, that ends a basic block other than by a branch; at most `limit` instructions. Returns their number.
  unsigned run_split(SplitId id, unsigned limit, bool is_alone) {
    const ActiveMask active = block_.domain().split(id).lanes;
    unsigned count = 0;
    if (!run_alone(id, limit, is_alone, count)) {
      const Step step = block_.execute(id, executed_in_block_ + count);
      executed_ += step.executed.count();
      scalar_ += step.instruction->scalar;
      ++count;
    }
    active_lanes_[active.count()] += count;
    return count;
  }

  /// The part of it that concerns one warp's registers and the split's own pc: code without barriers and exits. False
  /// if the split has to go on otherwise.
  bool run_alone(SplitId id, unsigned limit, bool is_alone, unsigned& count) {
    DivergenceDomain& domain = block_.domain();
    const WarpSplit& split = domain.split(id);
    if (split.compacted() || !may_run_alone_) return false;
    const simt::RowLanes row = simt::in_row(split.lanes, 0);
    simt::WarpContext& warp = block_.context().warp(split.warp);
    const std::vector<Instruction>& code = launch_.program->code;
    while (true) {
      const unsigned straight = std::min<unsigned>(code[split.pc].straight, limit - count);
      run_straight(split.pc, straight, warp, row);
      domain.step(id, straight);
      count += straight;
      if (count == limit) return true;
      const Instruction& last = code[split.pc];
      if (last.kind > InstructionKind::Branch || split.pc + 1 == code.size()) return false;
      if (last.kind == InstructionKind::Branch) {
        if (last.target == code.size()) return false;
        ++count;
        if (branch(split, last, warp, row, count)) return true;
      } else if (last.ends_block) {
        warp.clock = executed_in_block_ + count;
        run_straight(split.pc, 1, warp, row);
        ++count;
        if (!domain.pass(id, split.pc + 1) && domain.jump(id, split.pc + 1).changed.any()) return true;
        if (!is_alone) return true;
        ++turn_;
      }
      if (count == limit) return true;
    }
  }

  /// Instructions that need their handlers only.
  void run_straight(Pc first, unsigned number, simt::WarpContext& warp, simt::RowLanes row) {
    executed_ += std::uint64_t{number} * row.count();
    const Instruction* instruction = &launch_.program->code[first];
    for (Pc pc = first; pc != first + number; ++pc, ++instruction) {
      simt::RowLanes lanes = row;
      if (instruction->guard != Instruction::kNoPredicate) {
        lanes = simt::guarded(*instruction, warp, row);
        executed_ -= (row - lanes).count();
      }
      warp.pc = pc;
      instruction->handler(*instruction, warp, lanes);
    }
  }

  /// True if other splits may be runnable now.
  bool branch(const WarpSplit& split, const Instruction& instruction, simt::WarpContext& warp, simt::RowLanes row,
              unsigned count) {
    DivergenceDomain& domain = block_.domain();
    const simt::RowLanes taken = simt::guarded(instruction, warp, row);
    executed_ += taken.count();
    warp.clock = executed_in_block_ + count;
    const Pc next = split.pc + 1;
    if (taken == row && domain.pass(split.id, instruction.target)) return false;
    if (taken.none() && domain.pass(split.id, next)) return false;
    if (!instruction.may_part()) return domain.jump(split.id, instruction.target).changed.any();
    std::array<Path, 2> paths;
    unsigned sides = 0;
    if (taken.any()) paths[sides++] = {instruction.target, simt::of_row(taken, 0)};
    if (taken != row) paths[sides++] = {next, simt::of_row(row - taken, 0)};
    return domain.advance(split.id, std::span(paths.data(), sides), instruction.reconvergence).changed.any();
  }

  const simt::Launch& launch_;
  const LaunchOptions& options_;
  ResidentBlock block_;
  LivelockWatch watch_;
  bool used_up_turn_ = false;  // of a round: some warp its turn
  unsigned turn_ = 0;          // of a warp's splits
  bool may_run_alone_;         // the block need not look at each instruction
  std::string cut_off_;
  std::uint64_t executed_before_ = 0, executed_in_block_ = 0;  // warp instructions of the blocks before, of this one
  std::uint64_t executed_ = 0, scalar_ = 0;
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes_{};
};

}  // namespace

report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options) {
  report::LaunchRecord record = launch_facts(launch);
  FunctionalRun run(machine, launch, options);
  const std::uint64_t blocks = launch.grid.count();
  for (std::uint64_t n = 0; n < blocks && run.cut_off().empty(); ++n) {
    run.run_block({static_cast<std::uint32_t>(n % launch.grid.x),
                   static_cast<std::uint32_t>(n / launch.grid.x % launch.grid.y),
                   static_cast<std::uint32_t>(n / launch.grid.x / launch.grid.y)});
    if (options.progress) options.progress->advanced(0, n + 1);
  }
  run.fill(record);
  record.cut_off = run.cut_off();
  return record;
}

}  // namespace warpfork::gpu
