#include "gpu/functional_run.h"

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
// Of a warp whose block may wait for others: it may do no more than ask whether they are there.
constexpr unsigned kTurnTogether = 64;

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

/// Executes blocks of a launch, one at a time, and counts issued instructions.
class FunctionalRun {
 public:
  FunctionalRun(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                FunctionalBlocks::Accessed accessed, Counts& counts)
      : launch_(launch),
        options_(options),
        counts_(counts),
        code_(launch.program->code),
        mechanism_(find_divergence_mechanism(machine.divergence.mechanism)),
        block_(launch, mechanism_.make(machine.divergence.options())),
        warps_(block_.context().warps()),
        watch_(*launch.program, machine.divergence),
        accessed_(std::move(accessed)),
        may_run_alone_(block_.rows() == 1 && !launch.program->scalars.rule && launch.memory_check == nullptr &&
                       !accessed_ && !runs_off(code_)) {}

  /// Why the launch was cut off; empty if it was not.
  const std::string& cut_off() const { return cut_off_; }

  void run_block(Dim3 index) {
    start(index);
    while (is_running()) go_on();
  }

  /// The block of that index begins.
  void start(Dim3 index) {
    block_.start(index, 0);
    executed_in_block_ = 0;
    used_up_turn_ = false;
    round_ = 1;
  }
  bool is_running() const { return !block_.finished() && cut_off_.empty(); }
  /// Every warp of the block has its turn. Throws Error for a deadlock, and for a livelock where it is certain.
  void go_on() {
    const bool is_watched = !launch_.is_cooperative() && used_up_turn_ && round_ >= kFirstWatched &&
                            std::has_single_bit(round_) && watch_.can_claim();
    if (is_watched) watch_.begin();
    if (!run_round(is_watched ? static_cast<unsigned>(kWatchedTurn * round_) : 0))
      throw deadlock(*launch_.program, mechanism_, executed_in_block_, block_.describe());
    if (is_watched && watch_.is_stuck(block_)) throw livelock(*launch_.program, executed_in_block_, state());
    if (used_up_turn_) ++round_;
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
      else if (options_.max_instructions != 0 && counts_.issued > options_.max_instructions)
        cut_off({options_.max_instructions, "warp instructions", "--max-instructions"});
    }
    return any;
  }

  /// Runs the warp's splits in turn until it has none or its turn is over. False if it could not start.
  bool run_warp(WarpId warp, unsigned watched_turn) {
    DivergenceDomain& domain = block_.domain();
    const unsigned length = watched_turn != 0 ? watched_turn : launch_.is_cooperative() ? kTurnTogether : kTurn;
    unsigned left = length;
    turn_ = 0;
    while (left > 0) {
      const std::span<const SplitId> runnable = domain.runnable(warp);
      if (runnable.empty()) break;
      const bool is_alone = runnable.size() == 1;
      const unsigned limit = is_alone ? left : std::min(left, kSplitTurn);
      const SplitId id = is_alone ? runnable[0] : runnable[turn_ % runnable.size()];
      ++turn_;
      const unsigned count = watched_turn != 0 ? run_watched(id) : run_split(id, limit, is_alone);
      executed_in_block_ += count;
      counts_.issued += count;
      left -= count;
    }
    used_up_turn_ |= left == 0;
    return left < length;
  }

  /// A single instruction, of which the watch hears.
  unsigned run_watched(SplitId id) {
    const Step step = execute(id, executed_in_block_);
    watch_.stepped(block_, step);
    counts_.executed += step.executed.count();
    counts_.scalar += step.instruction->scalar;
    ++counts_.active_lanes[step.active.count()];
    return 1;
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

  void cut_off(const ReachedLimit& limit) { cut_off_ = still_running(*launch_.program, limit, state()); }

  std::string state() const {
    return block_.describe([](const WarpSplit&) { return "is"; });
  }

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
    const Step step = execute(id, executed_in_block_ + count);
    counts_.executed += step.executed.count();
    counts_.scalar += step.instruction->scalar;
    ++counts_.active_lanes[step.active.count()];
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
      run_stretch(code_.data(), stretch, warp, row);
      domain.step(id, stretch.pc - split.pc);
      const Instruction& last = code_[stretch.pc];
      is_done = stretch.left == 0;
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
      if (stretch.left == 0) is_done = true;
    } while (!is_done);
    const unsigned count = before - stretch.left;
    counts_.executed += std::uint64_t{count} * row.count() - std::exchange(stretch.idle, 0);
    counts_.active_lanes[row.count()] += count;
    turn_ += std::exchange(stretch.blocks, 0);
    return is_done;
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
  Counts& counts_;
  std::span<const Instruction> code_;
  const DivergenceMechanism& mechanism_;
  ResidentBlock block_;
  std::span<simt::WarpContext> warps_;  // of the block, by warp and row
  LivelockWatch watch_;
  bool used_up_turn_ = false;  // of a round: some warp its turn
  std::uint64_t round_ = 1;    // of the block
  unsigned turn_ = 0;          // of a warp's splits
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

/// All blocks of a launch that may wait for one another, each a round in turn.
report::LaunchRecord run_together(const MachineSpec& machine, const simt::Launch& launch,
                                  const LaunchOptions& options) {
  Counts counts;
  std::vector<std::unique_ptr<FunctionalRun>> running;
  for (std::uint64_t n = 0; n < launch.grid.count(); ++n) {
    running.push_back(std::make_unique<FunctionalRun>(machine, launch, options, FunctionalBlocks::Accessed(), counts));
    running.back()->start(launch.grid.position_of(n));
  }
  report::LaunchRecord record = launch_facts(launch);
  while (!running.empty() && record.cut_off.empty()) {
    for (const auto& block : running) {
      block->go_on();
      if (record.cut_off = block->cut_off(); !record.cut_off.empty()) break;
    }
    std::erase_if(running, [](const auto& block) { return !block->is_running(); });
    if (options.progress) options.progress->advanced(0, launch.grid.count() - running.size());
  }
  fill_in(counts, record);
  return record;
}

}  // namespace

struct FunctionalBlocks::Run {
  Run(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options, Accessed accessed)
      : blocks(machine, launch, options, std::move(accessed), counts) {}

  Counts counts;
  FunctionalRun blocks;
};

FunctionalBlocks::FunctionalBlocks(const MachineSpec& machine, const simt::Launch& launch, const LaunchOptions& options,
                                   Accessed accessed)
    : launch_(launch), options_(options), run_(std::make_unique<Run>(machine, launch, options, std::move(accessed))) {}

FunctionalBlocks::~FunctionalBlocks() = default;

void FunctionalBlocks::run(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t n = first; n < end && cut_off().empty(); ++n) {
    run_->blocks.run_block(launch_.grid.position_of(n));
    if (options_.progress) options_.progress->advanced(0, n + 1);
  }
}

void FunctionalBlocks::fill(report::LaunchRecord& record) const { fill_in(run_->counts, record); }

const std::string& FunctionalBlocks::cut_off() const { return run_->blocks.cut_off(); }

report::LaunchRecord run_functionally(const MachineSpec& machine, const simt::Launch& launch,
                                      const LaunchOptions& options) {
  if (launch.is_cooperative()) return run_together(machine, launch, options);
  report::LaunchRecord record = launch_facts(launch);
  FunctionalBlocks blocks(machine, launch, options);
  blocks.run(0, launch.grid.count());
  blocks.fill(record);
  record.cut_off = blocks.cut_off();
  return record;
}

}  // namespace warpfork::gpu
