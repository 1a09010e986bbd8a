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
#include "divergence/registry.h"
#include "gpu/launch_facts.h"
#include "gpu/livelock_watch.h"
#include "gpu/occupancy.h"
#include "gpu/polling_watch.h"
#include "gpu/resident_block.h"

namespace warpfork::gpu {

namespace {

using simt::Instruction;
using simt::InstructionKind;

/// Warp instructions that a warp may run before the others get a turn. In rounds of the number `first_watched`, twice,
/// four times … this number a livelock is looked for; a warp's turn is then another one: so many instructions times the
/// number of the round. Only rounds in which some warp's turn ended are numbered: whoever goes round for ever uses it
/// up.
struct Turns {
  unsigned length, first_watched, watched;
  bool is_watched(std::uint64_t round) const { return round >= first_watched && std::has_single_bit(round); }
};
constexpr Turns kTurns{1 << 16, 4, 1 << 9};
/// Of a launch in which warps or blocks wait for others: they may do no more than ask whether these are there.
constexpr Turns kShortTurns{1 << 6, 256, 2};
constexpr unsigned kSplitTurn = 256;  // of a split, before the other splits of its warp
/// A block whose warps come to barriers again and again may poll between these: after so many rounds, twice, four times
/// … so many it is heard for some.
constexpr std::uint64_t kManyRounds = 1 << 12, kRoundsHeard = 16;
constexpr std::size_t kBlocksDescribed = 4;

/// Whether threads may come to the end of the code without an exit there.
bool runs_off(std::span<const Instruction> code) {
  if (code.empty()) return true;
  const Instruction& last = code.back();
  const bool goes_on = last.kind < InstructionKind::Branch ||
                       (last.kind == InstructionKind::Branch && last.guard != Instruction::kNoPredicate);
  return goes_on || std::ranges::any_of(code, [&](const Instruction& instruction) {
           return instruction.kind == InstructionKind::Branch && instruction.target == code.size();
         });
}

/// Of all blocks of a launch.
struct Counts {
  std::uint64_t issued = 0, executed = 0, scalar = 0;  // warp instructions, thread instructions, scalar warp ones
  std::array<std::uint64_t, kMaxWarpSize + 1> active_lanes{};
};

/// What the blocks of a launch have in common.
struct LaunchState {
  LaunchState(const simt::Program& program, const MachineDivergenceSpec& divergence)
      : livelock(program, divergence), polling(program) {}

  const Turns& turns() const { return is_waited ? kShortTurns : kTurns; }
  void begin_to_hear(bool of_livelocks) {
    hears_of_livelocks = of_livelocks && livelock.can_claim();
    if (hears_of_livelocks) livelock.begin();
    polling.begin();
  }
  void stepped(const ResidentBlock& block, const Step& step) {
    if (hears_of_livelocks) livelock.stepped(block, step);
    if (is_alone) polling.stepped(block, step);
  }
  /// After all that happened since begin_to_hear().
  bool is_stuck(const ResidentBlock& block) const { return hears_of_livelocks && livelock.is_stuck(block); }

  Counts counts;
  LivelockWatch livelock;
  PollingWatch polling;
  bool is_waited = false;  // some warp was seen to wait in vain
  bool is_alone = true;    // blocks run one after the other
  bool hears_of_livelocks = false;
};

/// Executes blocks of a launch, one at a time, and counts issued instructions.
class FunctionalRun {
 public:
  FunctionalRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                FunctionalBlocks::Accessed accessed, LaunchState& state)
      : launch_(launch),
        options_(options),
        state_(state),
        counts_(state.counts),
        code_(launch.program->code),
        mechanism_(find_divergence_mechanism(machine.divergence.mechanism)),
        block_(launch, mechanism_.make(machine.divergence.options())),
        warps_(block_.context().warps()),
        accessed_(std::move(accessed)),
        may_run_alone_(block_.rows() == 1 && !launch.program->scalars.rule && launch.memory_check == nullptr &&
                       !accessed_ && !runs_off(code_)) {}

  /// Why the launch was cut off; empty if it was not.
  const std::string& cut_off() const { return cut_off_; }

  /// The block of that index begins.
  void start(Dim3 index) {
    block_.start(index, 0);
    executed_in_block_ = 0;
    used_up_turn_ = false;
    round_ = 1;
  }
  bool is_running() const { return !block_.finished() && cut_off_.empty(); }
  const ResidentBlock& block() const { return block_; }
  std::uint64_t executed() const { return executed_in_block_; }

  /// Every warp of the block has its turn, of `turn` instructions (0 = the usual number), of which the watches hear if
  /// it `is_heard`. Throws Error for a deadlock.
  void go_on(unsigned turn, bool is_heard) {
    if (!run_round(turn != 0 ? turn : state_.turns().length, is_heard))
      throw deadlock_without_time(*launch_.program, mechanism_, executed_in_block_, block_.describe());
    if (used_up_turn_) ++round_;
  }
  /// Of the last round: whether some warp has used up its turn.
  bool used_up_turn() const { return used_up_turn_; }
  /// Of a block that runs alone: the turn of the next round, if a livelock is looked for in it; else 0.
  unsigned watched_turn() const {
    const Turns& turns = state_.turns();
    const bool is_watched = used_up_turn_ && turns.is_watched(round_) &&
                            (state_.is_waited || (state_.livelock.can_claim() && state_.livelock.decides_alone()));
    return is_watched ? static_cast<unsigned>(turns.watched * round_) : 0;
  }

  std::string describe() const {
    return block_.describe([](const WarpSplit&) { return "is"; });
  }

 private:
  /// False if no warp could start.
  bool run_round(unsigned turn, bool is_heard) {
    bool any = false;
    used_up_turn_ = false;
    for (WarpId warp = 0; warp < block_.warps() && cut_off_.empty(); ++warp) {
      any |= run_warp(warp, turn, is_heard);
      if (options_.max_cycles != 0 && executed_in_block_ > options_.max_cycles)
        cut_off({options_.max_cycles, "warp instructions of one block", "--max-cycles"});
      else if (options_.max_instructions != 0 && counts_.issued > options_.max_instructions)
        cut_off({options_.max_instructions, "warp instructions", "--max-instructions"});
    }
    return any;
  }

  /// The warp's turn: until none of its splits can go on, the turn is used up, or the warp polls. False if it could not
  /// start.
  bool run_warp(WarpId warp, unsigned length, bool is_heard) {
    constexpr unsigned kStretch = PollingWatch::kStretch;
    unsigned left = length;
    turn_ = 0;
    bool is_over = false;
    while (left > 0 && !is_over) {
      const unsigned wanted = is_heard ? left : std::min(left, kStretch);
      const unsigned count = run_splits(warp, wanted, left, is_heard);
      left -= count;
      is_over = count < wanted || (wanted == kStretch && !is_heard && state_.polling.is_due() && look(warp, left));
    }
    used_up_turn_ |= left == 0;
    return left < length;
  }

  /// A warp that has `left` of its turn goes on, and is heard. True if it polls: that ends the turn.
  [[gnu::noinline]] bool look(WarpId warp, unsigned& left) {
    state_.begin_to_hear(false);
    left -= run_splits(warp, std::min(left, PollingWatch::kGlance), left, true);
    if (!state_.polling.may_poll(warp)) return false;
    left -= run_splits(warp, std::min(left, PollingWatch::kLook), left, true);
    if (!state_.polling.polls(warp)) return false;
    state_.is_waited = used_up_turn_ = true;
    return true;
  }

  /// Runs the warp's splits in turn until it has none or has executed so many instructions, or more, but at most
  /// `most`. Whether they are executed at one go or not, and heard of or not, does not change their order. Returns
  /// their number.
  unsigned run_splits(WarpId warp, unsigned wanted, unsigned most, bool is_heard) {
    DivergenceDomain& domain = block_.domain();
    unsigned done = 0;
    while (done < wanted) {
      const std::span<const SplitId> runnable = domain.runnable(warp);
      if (runnable.empty()) break;
      const bool is_alone = runnable.size() == 1;
      const unsigned limit = is_alone ? wanted - done : std::min(most - done, kSplitTurn);
      const SplitId id = is_alone ? runnable[0] : runnable[turn_ % runnable.size()];
      const unsigned count = is_heard ? run_heard(id, limit, is_alone) : run_split(id, limit, is_alone);
      if (!std::exchange(is_interrupted_, false) || !is_alone) ++turn_;
      executed_in_block_ += count;
      counts_.issued += count;
      done += count;
    }
    return done;
  }

  /// As run_split(), one instruction after the other, of which the watches hear.
  unsigned run_heard(SplitId id, unsigned limit, bool is_alone) {
    const bool goes_on = may_run_alone_ && !block_.domain().split(id).compacted();
    for (unsigned count = 1;; ++count) {
      const Step step = execute(id, executed_in_block_ + count - 1);
      state_.stepped(block_, step);
      count_step(step);
      const Instruction& instruction = *step.instruction;
      if (!goes_on || instruction.kind > InstructionKind::Branch || step.changed.any()) return count;
      if (instruction.ends_block && instruction.kind != InstructionKind::Branch) {
        if (!is_alone) return count;
        ++turn_;
      }
      if (count == limit) {
        is_interrupted_ = true;
        return count;
      }
    }
  }

  void count_step(const Step& step) {
    counts_.executed += step.executed.count();
    counts_.scalar += step.instruction->scalar;
    ++counts_.active_lanes[step.active.count()];
  }

  Step execute(SplitId id, Cycle now) {
    const Step step = block_.execute(id, now);
    const InstructionKind kind = step.instruction->kind;
    if (accessed_ &&
        (kind == InstructionKind::Load || kind == InstructionKind::Store || kind == InstructionKind::Atomic) &&
        step.executed.any())
      accessed_(*step.instruction, block_.access(step));
    return step;
  }

  void cut_off(const ReachedLimit& limit) { cut_off_ = still_running(*launch_.program, limit, describe()); }

  /// Runs the split up to and including the first instruction that may change what is runnable or, if others of its
  /// warp are, that ends a basic block other than by a branch; at most `limit` instructions. A split that is alone
  /// hands over to the next one that is. Returns their number.
  unsigned run_split(SplitId id, unsigned limit, bool is_alone) {
    Stretch stretch{executed_in_block_ + limit, limit};
    while (run_alone(id, stretch, is_alone)) {
      if (!is_alone || stretch.left == 0) return limit - stretch.left;
      const std::span<const SplitId> runnable = block_.domain().runnable(block_.domain().split(id).warp);
      if (runnable.size() != 1) return limit - stretch.left;
      id = runnable[0];
      ++turn_;
    }
    const unsigned count = limit - stretch.left;
    count_step(execute(id, executed_in_block_ + count));
    return count + 1;
  }

  /// A row on its way through code.
  struct Stretch {
    Cycle end_clock;    // when nothing is left
    unsigned left;      // instructions that it may still execute
    unsigned idle = 0;  // threads of the row that a guard kept from executing
    Pc pc = 0;
    Pc meeting = kNoPc;   // where the split's lanes wait for others
    unsigned blocks = 0;  // ends of basic blocks, other than branches, that it has passed
    bool passes_branches = false, passes_blocks = false;  // goes on behind these by itself
  };

  /// The part of run_split() that concerns one warp's registers and the split's own pc: code without exits, and
  /// without barriers at which it would wait. False if the split has to go on otherwise.
  bool run_alone(SplitId id, Stretch& stretch, bool is_alone) {
    DivergenceDomain& domain = block_.domain();
    const WarpSplit& split = domain.split(id);
    if (split.compacted() || !may_run_alone_) return false;
    const simt::RowLanes row = simt::in_row(split.lanes, 0);
    simt::WarpContext& warp = warps_[split.warp];
    const unsigned before = stretch.left;
    stretch.passes_branches = domain.pass(id, split.pc);  // to where it is: the domain need not hear of basic blocks
    stretch.passes_blocks = stretch.passes_branches && is_alone;
    bool is_done = false;
    do {
      stretch.pc = split.pc;
      stretch.meeting = split.reconvergence_pc;
      if (!stretch.passes_branches && comes_to_meeting(id, stretch, warp, row)) break;
      run_stretch(code_.data(), stretch, warp, row);
      domain.step(id, stretch.pc - split.pc);
      const Instruction& last = code_[stretch.pc];
      is_done = is_interrupted_ = stretch.left == 0;
      if (is_done || (last.kind > InstructionKind::Branch && !block_.opens_at_once(last, split))) break;
      if (last.kind == InstructionKind::Branch) {
        warp.clock = stretch.end_clock - --stretch.left;
        const simt::RowLanes taken = simt::guarded(last, warp, row);
        stretch.idle += (row - taken).count();
        is_done = part(split, last, row, taken);
      } else {
        if (last.kind == InstructionKind::Barrier)
          --stretch.left;
        else
          run_block_end(last, stretch, warp, row);
        is_done = (!domain.pass(id, split.pc + 1) && domain.jump(id, split.pc + 1).changed.any()) || !is_alone;
        if (!is_done) ++turn_;
      }
      if (stretch.left == 0) {
        is_interrupted_ = !is_done;
        is_done = true;
      }
    } while (!is_done);
    const unsigned count = before - stretch.left;
    counts_.executed += std::uint64_t{count} * row.count() - std::exchange(stretch.idle, 0);
    counts_.active_lanes[row.count()] += count;
    turn_ += std::exchange(stretch.blocks, 0);
    return is_done;
  }

  /// Whether the split meets others in the midst of a basic block before it can get to the block's end: it is now at
  /// the instruction that brings it there. Only mechanisms that watch blocks have such places, early reconvergence
  /// points.
  [[gnu::noinline]] bool comes_to_meeting(SplitId id, Stretch& stretch, simt::WarpContext& warp, simt::RowLanes row) {
    const unsigned before = stretch.meeting - stretch.pc - 1;
    if (before >= code_[stretch.pc].straight || before >= stretch.left) return false;
    const unsigned behind = std::exchange(stretch.left, before) - before;
    run_stretch(code_.data(), stretch, warp, row);
    stretch.left = behind;
    block_.domain().step(id, before);
    return true;
  }

  /// Executes what only needs handlers, and branches that all lanes go or do not go, up to an instruction of which
  /// somebody else has to hear, or until nothing is left. A function of its own, so that what it keeps has room in the
  /// host's registers.
  [[gnu::noinline]] static void run_stretch(const Instruction* code, Stretch& stretch, simt::WarpContext& warp,
                                            simt::RowLanes row) {
    Pc next = stretch.pc;
    while (true) {
      const Instruction* at = code + next;
      const unsigned straight = std::min<unsigned>(at->straight, stretch.left);
      stretch.left -= straight;
      stretch.pc = next + straight;
      for (const Instruction* const last = at + straight; at != last; ++at) execute(*at, stretch, warp, row);
      if (stretch.left == 0 || at->kind > InstructionKind::Branch) return;
      next = stretch.pc;
      if (!at->ends_block) continue;
      ++next;
      if (at->kind == InstructionKind::Branch) {
        if (!stretch.passes_branches) return;
        const simt::RowLanes taken = simt::guarded(*at, warp, row);
        if (taken == row)
          next = at->target;
        else if (taken.any())
          return;
        if (next == stretch.meeting) return;
        if (taken.none()) stretch.idle += row.count();
        warp.clock = stretch.end_clock - --stretch.left;
      } else {
        if (!stretch.passes_blocks || next == stretch.meeting) return;
        run_block_end(*at, stretch, warp, row);
        ++stretch.blocks;
      }
    }
  }

  /// The last instruction of a basic block, no branch.
  static void run_block_end(const Instruction& instruction, Stretch& stretch, simt::WarpContext& warp,
                            simt::RowLanes row) {
    warp.clock = stretch.end_clock - stretch.left--;
    execute(instruction, stretch, warp, row);
  }

  /// An instruction that needs its handler only.
  static void execute(const Instruction& instruction, Stretch& stretch, simt::WarpContext& warp, simt::RowLanes row) {
    simt::RowLanes lanes = row;
    if (instruction.guard != Instruction::kNoPredicate) {
      lanes = simt::guarded(instruction, warp, row);
      stretch.idle += (row - lanes).count();
    }
    instruction.handler(instruction, warp, lanes);
  }

  /// A branch at which the lanes part, or of which the domain must hear. True if other splits may be runnable now.
  bool part(const WarpSplit& split, const Instruction& instruction, simt::RowLanes row, simt::RowLanes taken) {
    DivergenceDomain& domain = block_.domain();
    if (!instruction.may_part()) return domain.jump(split.id, instruction.target).changed.any();
    std::array<Path, 2> paths;
    unsigned sides = 0;
    if (taken.any()) paths[sides++] = {instruction.target, simt::of_row(taken, 0)};
    if (taken != row) paths[sides++] = {split.pc + 1, simt::of_row(row - taken, 0)};
    return domain.advance(split.id, std::span(paths.data(), sides), instruction.reconvergence).changed.any();
  }

  const simt::Launch& launch_;
  const LaunchOptions& options_;
  LaunchState& state_;
  Counts& counts_;
  std::span<const Instruction> code_;
  const DivergenceMechanism& mechanism_;
  ResidentBlock block_;
  std::span<simt::WarpContext> warps_;  // of the block, by warp and row
  bool used_up_turn_ = false;           // of a round: some warp its turn
  std::uint64_t round_ = 1;             // of the block
  unsigned turn_ = 0;                   // of a warp's splits
  // Nothing but the number of instructions that it was allowed ended what run_split() or run_heard() did.
  bool is_interrupted_ = false;
  FunctionalBlocks::Accessed accessed_;
  bool may_run_alone_;  // the block need not look at each instruction
  std::string cut_off_;
  std::uint64_t executed_in_block_ = 0;  // warp instructions
};

void fill_in(const Counts& counts, report::LaunchRecord& record) {
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
    if (idle.empty()) idle.push_back(std::make_unique<FunctionalRun>(machine, launch, options, accessed, state));
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
    FunctionalRun& block = *running.front();
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

  /// All that run have a round in turn, as FunctionalRun::go_on() says.
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
      text += fmt::format("and {} blocks more\n", running.size() - kBlocksDescribed);
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
  LaunchState state;
  std::vector<std::unique_ptr<FunctionalRun>> running, idle;
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
