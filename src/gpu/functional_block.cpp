#include "gpu/functional_block.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpfork::gpu {

using simt::Instruction;
using simt::InstructionKind;

struct FunctionalStretch {
  Cycle end_clock;    // when nothing is left
  unsigned left;      // instructions that it may still execute
  unsigned idle = 0;  // threads of the row that a guard kept from executing
  Pc pc = 0;
  Pc meeting = kNoPc;                                   // where the split's lanes wait for others
  unsigned blocks = 0;                                  // ends of basic blocks, other than branches, that it has passed
  bool passes_branches = false, passes_blocks = false;  // goes on behind these by itself
};

namespace {

constexpr unsigned kSplitTurn = 256;  // of a split, before the other splits of its warp

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

/// An instruction that needs its handler only.
void execute(const Instruction& instruction, FunctionalStretch& stretch, simt::WarpContext& warp, simt::RowLanes row) {
  simt::RowLanes lanes = row;
  if (instruction.guard != Instruction::kNoPredicate) {
    lanes = simt::guarded(instruction, warp, row);
    stretch.idle += (row - lanes).count();
  }
  instruction.handler(instruction, warp, lanes);
}

/// The last instruction of a basic block, no branch.
void run_block_end(const Instruction& instruction, FunctionalStretch& stretch, simt::WarpContext& warp,
                   simt::RowLanes row) {
  warp.clock = stretch.end_clock - stretch.left--;
  execute(instruction, stretch, warp, row);
}

/// Executes what only needs handlers, and branches that all lanes go or do not go, up to an instruction of which
/// somebody else has to hear, or until nothing is left. A function of its own, so that what it keeps has room in the
/// host's registers.
[[gnu::noinline]] void run_stretch(const Instruction* code, FunctionalStretch& stretch, simt::WarpContext& warp,
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

}  // namespace

FunctionalBlock::FunctionalBlock(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                                 FunctionalBlocks::Accessed accessed, FunctionalState& state)
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
                     !accessed_ && !block_.gathers() && !runs_off(code_)) {}

void FunctionalBlock::start(Dim3 index) {
  block_.start(index, 0);
  executed_in_block_ = 0;
  used_up_turn_ = false;
  round_ = 1;
}

void FunctionalBlock::go_on(unsigned turn, bool is_heard) {
  if (!run_round(turn != 0 ? turn : state_.turns().length, is_heard))
    throw deadlock_without_time(*launch_.program, mechanism_, executed_in_block_, block_.describe());
  if (used_up_turn_) ++round_;
}

unsigned FunctionalBlock::watched_turn() const {
  const Turns& turns = state_.turns();
  const bool is_watched = used_up_turn_ && turns.is_watched(round_) &&
                          (state_.is_waited || (state_.livelock.can_claim() && state_.livelock.decides_alone()));
  return is_watched ? static_cast<unsigned>(turns.watched * round_) : 0;
}

std::string FunctionalBlock::describe() const {
  return block_.describe([](const WarpSplit&) { return "is"; });
}

bool FunctionalBlock::run_round(unsigned turn, bool is_heard) {
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

bool FunctionalBlock::run_warp(WarpId warp, unsigned length, bool is_heard) {
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

bool FunctionalBlock::look(WarpId warp, unsigned& left) {
  state_.begin_to_hear(false);
  left -= run_splits(warp, std::min(left, PollingWatch::kGlance), left, true);
  if (!state_.polling.may_poll(warp)) return false;
  left -= run_splits(warp, std::min(left, PollingWatch::kLook), left, true);
  if (!state_.polling.polls(warp)) return false;
  state_.is_waited = used_up_turn_ = true;
  return true;
}

unsigned FunctionalBlock::run_splits(WarpId warp, unsigned wanted, unsigned most, bool is_heard) {
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

unsigned FunctionalBlock::run_heard(SplitId id, unsigned limit, bool is_alone) {
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

void FunctionalBlock::count_step(const Step& step) {
  counts_.executed += step.executed.count();
  counts_.scalar += step.instruction->scalar;
  ++counts_.active_lanes[step.active.count()];
}

Step FunctionalBlock::execute(SplitId id, Cycle now) {
  const Step step = block_.execute(id, now);
  const InstructionKind kind = step.instruction->kind;
  if (accessed_ &&
      (kind == InstructionKind::Load || kind == InstructionKind::Store || kind == InstructionKind::Atomic) &&
      step.executed.any())
    accessed_(*step.instruction, block_.access(step));
  return step;
}

unsigned FunctionalBlock::run_split(SplitId id, unsigned limit, bool is_alone) {
  FunctionalStretch stretch{executed_in_block_ + limit, limit};
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

bool FunctionalBlock::run_alone(SplitId id, FunctionalStretch& stretch, bool is_alone) {
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

bool FunctionalBlock::comes_to_meeting(SplitId id, FunctionalStretch& stretch, simt::WarpContext& warp,
                                       simt::RowLanes row) {
  const unsigned before = stretch.meeting - stretch.pc - 1;
  if (before >= code_[stretch.pc].straight || before >= stretch.left) return false;
  const unsigned behind = std::exchange(stretch.left, before) - before;
  run_stretch(code_.data(), stretch, warp, row);
  stretch.left = behind;
  block_.domain().step(id, before);
  return true;
}

bool FunctionalBlock::part(const WarpSplit& split, const Instruction& instruction, simt::RowLanes row,
                           simt::RowLanes taken) {
  DivergenceDomain& domain = block_.domain();
  if (!instruction.may_part()) return domain.jump(split.id, instruction.target).changed.any();
  std::array<Path, 2> paths;
  unsigned sides = 0;
  if (taken.any()) paths[sides++] = {instruction.target, simt::of_row(taken, 0)};
  if (taken != row) paths[sides++] = {split.pc + 1, simt::of_row(row - taken, 0)};
  if (instruction.comes_back && sides == 1) return domain.jump(split.id, paths[0].pc).changed.any();
  const Pc meeting = launch_.program->meeting_of(instruction, split.reconvergence_pc);
  return domain.advance(split.id, std::span(paths.data(), sides), meeting).changed.any();
}

}  // namespace warpfork::gpu
