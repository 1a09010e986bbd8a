#include "gpu/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "base/range_check.h"
#include "base/text.h"
#include "divergence/compaction_predictor.h"
#include "gpu/censuses.h"
#include "gpu/code_options.h"
#include "gpu/core.h"
#include "gpu/functional_run.h"
#include "gpu/lane_organisation.h"
#include "gpu/launch_addresses.h"
#include "gpu/launch_facts.h"
#include "gpu/livelock_watch.h"
#include "gpu/memory_findings.h"
#include "gpu/rehearsal.h"
#include "gpu/run_ahead.h"
#include "gpu/sampled_run.h"
#include "gpu/thread_lanes.h"
#include "report/launch_statistics.h"
#include "report/record_sum.h"
#include "simt/memory_check.h"

namespace warpfork::gpu {

namespace {

/// Of a launch. A mistake that is corrected changes what comes after it, so that every rehearsal corrects a little
/// more; in the first few warps may change their minds as often as they like.
constexpr unsigned kMostRehearsals = 32, kFreeRehearsals = 4;

constexpr unsigned kProgressRounds = 1 << 12;  // of the simulation loop between two reports of progress

bool works_within_a_warp(const DivergenceMechanism& mechanism) { return !mechanism.regroups; }

const MachineSpec& validated(const MachineSpec& spec) {
  MachineSpec(spec).visit(RangeCheck(""));
  const CompactionPredictor known(spec.divergence.predictor, 0, spec.divergence.predictor_index_shift);
  const DivergenceMechanism& mechanism = find_divergence_mechanism(spec.divergence.mechanism);
  const LaneOrganisation& lanes = find_lane_organisation(spec.core.lanes.organisation);
  if (lane_permutation(spec) != simt::LanePermutation::Identity && !std::has_single_bit(spec.core.warp_size))
    throw Error(
        "divergence.lane_permutation = '{}': lanes are permuted in warps of a power of two of threads; core.warp_size "
        "is {}\n  set divergence.lane_permutation=identity, or another core.warp_size",
        spec.divergence.lane_permutation, spec.core.warp_size);
  if (mechanism.regroups && lanes.temporal)
    throw Error(
        "divergence mechanism '{}' cannot run on '{}' lanes: it lets threads run in the place of other warps, and a "
        "temporal lane reaches the registers of its own warps only\n"
        "  take a mechanism that works within a warp ({}), or simt lanes",
        mechanism.name, lanes.name, fmt::join(divergence_mechanism_names(works_within_a_warp), ", "));
  validate(spec.core);
  code_options(spec);
  return spec;
}

/// Code that takes %tid.y and %tid.z for one for a warp (core.scalarize_rows) must find them so.
void require_filled_rows(const simt::Launch& launch) {
  const bool one_row = launch.block.y == 1 && launch.block.z == 1;
  if (one_row || launch.block.x % launch.warp_size == 0) return;
  for (const ptx::Instruction& instruction : launch.program->function->body)
    for (const ptx::Operand& operand : instruction.operands)
      if (const auto* special = operand.as<ptx::SpecialRegisterOperand>();
          special && special->name == ptx::SpecialRegister::Tid && special->component != 0)
        throw Error(
            "kernel '{}': rows of {} do not fill warps of {}, and core.scalarize_rows = 'filled' takes a row's "
            "number for one for a warp\n  set core.scalarize_rows=off",
            launch.program->name, counted(launch.block.x, "thread"), launch.warp_size);
}

}  // namespace

/// Deals out the blocks of a grid in the order of their numbers, x fastest.
struct Device::Grid {
  Dim3 size;
  std::uint64_t next = 0, count = 0;
  SampledRun* sample = nullptr;  // null = all blocks are dealt out

  bool done() const { return next == count; }
  Dim3 take(Cycle now) {
    if (sample != nullptr) next = sample->next_block(next, now);
    return size.position_of(next++);
  }
};

Device::Device(const MachineSpec& spec)
    : spec_(validated(spec)), memory_(spec_.memory, spec_.cores), calendar_(spec_.cores) {
  make_cores(1);  // which throws for a description that makes none
}

Device::~Device() = default;

void Device::make_cores(unsigned number) {
  while (cores_.size() < number)
    cores_.push_back(std::make_unique<Core>(spec_, static_cast<unsigned>(cores_.size()), memory_));
}

report::LaunchRecord Device::run(const simt::Launch& given, const LaunchOptions& options) {
  check(!is_lost_, [] { return std::string("a launch on a device on which one was cut off"); });
  simt::Launch launch = given;
  launch.warp_size = spec_.core.warp_size;
  if (!options.functional_only) launch.lane_permutation = lane_permutation(spec_);
  launch.core_count = spec_.cores;
  launch.check_scalars = options.check_scalars;
  simt::validate(launch);
  if (launch.program->scalars.rule != code_options(spec_).scalars)
    throw Error("kernel '{}' was loaded for another core.scalarize than machine '{}' has; load it with code_options()",
                launch.program->name, spec_.name);
  if (code_options(spec_).rows_fill_warps) require_filled_rows(launch);
  if (launch.warps_per_block() > kMaxWarpsPerBlock)
    throw Error("kernel '{}': a block of {} threads has {} warps of {} on machine '{}'; at most {} are supported",
                launch.program->name, launch.threads_per_block(), launch.warps_per_block(), launch.warp_size,
                spec_.name, kMaxWarpsPerBlock);
  if (!options.functional_only) make_cores(spec_.cores);
  if (may_run_ahead(launch, options) && spec_.cores > 1) launch.deferred = host_threads(options.threads).accesses();
  std::optional<simt::MemoryCheck> check;
  if (options.check_memory) launch.memory_check = &check.emplace(launch);
  report::LaunchRecord record =
      options.functional_only ? run_functionally(spec_, launch, options) : run_timed(launch, options);
  if (check) add_memory_findings(*check, launch, record.findings);
  return record;
}

RunAhead& Device::host_threads(unsigned threads) {
  threads = std::min(threads, spec_.cores);
  if (!host_threads_ || host_threads_->threads() != threads)
    host_threads_ = std::make_unique<RunAhead>(spec_, threads, cores_, memory_);
  return *host_threads_;
}

report::LaunchRecord Device::run_timed(const simt::Launch& launch, const LaunchOptions& options) {
  const Occupancy fits =
      occupancy(spec_.core, *launch.program, launch.threads_per_block(), launch.dynamic_shared_bytes);
  if (fits.blocks_per_core == 0)
    throw Error(
        "kernel '{}': a block of {} with {} per thread and {} of shared memory does not "
        "fit on a core of machine '{}' (limit: {})",
        launch.program->name, counted(launch.threads_per_block(), "thread"),
        counted(fits.registers_per_thread, "register"), counted(fits.shared_bytes, "byte"), spec_.name,
        fmt::join(fits.limited_by, ", "));
  require_sample_is_possible(spec_, options.sample);
  launch_addresses(spec_, launch);  // refuses what has no room there before any core begins
  const std::optional<CompactionProfile> known = foresee(launch, options, fits);
  const report::MemoryCounts before = memory_counts();
  const std::uint64_t flits = flits_carried();
  Censuses censuses(spec_, launch, options, [&] {
    return Censuses::Rest{report::difference(memory_counts(), before), flits_carried() - flits};
  });
  report::LaunchStatistics statistics(launch.program->code.size(), spec_.cores, warp_slots(spec_.core),
                                      censuses.listener());

  report::LaunchRecord record = launch_facts(launch);
  record.timed = true;
  const auto listeners = [&](unsigned core) -> report::LaunchListener& { return statistics.of_core(core); };
  const auto is_past_limit = [&] { return censuses.is_past_limit(); };
  const auto so_far = [&](Cycle now) {
    return counted_so_far(cores_, statistics, launch.warp_size, report::difference(memory_counts(), before), now);
  };
  std::optional<SampledRun> sample;
  if (!options.sample.empty()) sample.emplace(spec_, launch, options, fits, cores_, so_far);
  End end = simulate(launch, options, listeners, fits, {known ? &*known : nullptr}, is_past_limit,
                     sample ? &*sample : nullptr);
  record.cycles = end.cycles;
  record.cut_off = std::move(end.cut_off);
  statistics.fill(record);
  name_branches(record, *launch.program);
  fill_occupancy(record.occupancy, spec_, fits, launch);
  record.memory = report::difference(memory_counts(), before);
  censuses.fill(record);
  if (sample) sample->fill(record);
  return record;
}

/// What the oracle is to know of the run (docs/adr/0015). Each rehearsal corrects the mistakes of the one before, until
/// there are none; the run then repeats it. If some remain, it repeats the rehearsal with the fewest.
std::optional<CompactionProfile> Device::foresee(const simt::Launch& launch, const LaunchOptions& options,
                                                 const Occupancy& fits) {
  std::optional<CompactionProfile> known, best;
  if (!find_divergence_mechanism(spec_.divergence.mechanism).rehearses(spec_.divergence)) return best;
  LaunchOptions unobserved = options;
  unobserved.listener = nullptr;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (unsigned number = 1; number <= kMostRehearsals && fewest != 0; ++number) {
    if (options.progress) options.progress->rehearses(number);
    std::optional<CompactionProfile> learnt = rehearse(launch.grid.count(), [&](CompactionProfile& record) {
      report::LaunchListener nobody;
      const auto listeners = [&](unsigned) -> report::LaunchListener& { return nobody; };
      const End end = simulate(launch, unobserved, listeners, fits, {known ? &*known : nullptr, &record});
      if (!end.cut_off.empty()) throw Error("{}", end.cut_off);
    });
    if (!learnt) break;
    const std::uint64_t mistakes = learnt->mistakes();
    if (number > kFreeRehearsals) learnt->give_up();
    if (mistakes < fewest) {
      fewest = mistakes;
      best = std::move(known);
    }
    known = std::move(learnt);
  }
  if (options.progress) options.progress->rehearses(0);
  return best;
}

Device::End Device::simulate(const simt::Launch& launch, const LaunchOptions& options, const Listeners& listeners,
                             const Occupancy& fits, Foresight foresight, const Limit& is_past_limit,
                             SampledRun* sample) {
  Grid grid{launch.grid, 0, launch.grid.count(), sample};
  const unsigned spread =
      static_cast<unsigned>(std::min<std::uint64_t>((grid.count + spec_.cores - 1) / spec_.cores, fits.block_slots));
  const KernelTables& tables = tables_.emplace(spec_.core, *launch.program);
  for (unsigned core = 0; core < spec_.cores; ++core) {
    if (gets_block(core, grid.count))
      cores_[core]->begin_kernel(launch, tables, fits, spread, listeners(core), foresight);
    else
      cores_[core]->sit_out(listeners(core));
  }
  calendar_.reset();
  busy_ = 0;

  ahead_ = launch.deferred != nullptr && foresight.learnt == nullptr ? host_threads_.get() : nullptr;
  if (ahead_ != nullptr) ahead_->begin_kernel(options.at_borders ? &options.at_borders : nullptr);
  LivelockWatch watch(*launch.program, spec_.divergence, options.listener == nullptr);
  Cycle now = 0;
  unsigned rounds = 0;
  bool dealing = true;  // the block scheduler may place a block in this cycle
  const auto mechanism = [this]() -> auto& { return find_divergence_mechanism(spec_.divergence.mechanism); };
  while (true) {
    if (ahead_ != nullptr && (grid.done() || !dealing)) run_ahead(now, options, watch, !grid.done());
    if (memory_.next_event() <= now) memory_.advance(now);
    bool running = run_cores(now, dealing);
    if (dealing && !grid.done()) {
      dealing = issue_blocks(grid, now);
      running = true;
    }
    const bool finished = !running && grid.done();
    if (finished) break;
    if (options.progress && ++rounds % kProgressRounds == 0)
      options.progress->advanced(now, grid.next - running_blocks());

    if (options.max_instructions != 0 && is_past_limit && is_past_limit())
      return cut_off(launch, now, {options.max_instructions, "warp instructions", "--max-instructions"});

    Cycle next = dealing && !grid.done() ? now + 1 : std::min(memory_.next_event(), calendar_.next());
    if (memory_.cores_with_responses() != 0) next = now + 1;
    if (next == kNever) throw deadlock(*launch.program, mechanism(), now, describe_cores());
    if (watch.has_found(now, cores_, grid.done() || !dealing))
      throw livelock(*launch.program, mechanism(), now, describe_cores());
    now = std::max(next, now + 1);
    if (options.max_cycles != 0 && now > options.max_cycles)
      return cut_off(launch, options.max_cycles, {options.max_cycles, "cycles", "--max-cycles"});
  }
  for (const auto& core : cores_) core->end_kernel();
  memory_.end_kernel();
  return {now, ""};
}

/// The first blocks go to one core each.
bool Device::gets_block(unsigned core, std::uint64_t blocks) const {
  return (core + spec_.cores - next_core_) % spec_.cores < blocks;
}

/// Lets cores run ahead, but not to where somebody looks at them.
void Device::run_ahead(Cycle now, const LaunchOptions& options, const LivelockWatch& watch, bool blocks_left) {
  if (!ahead_->is_time(now)) return;
  Cycle limit = watch.idle_until();
  if (options.max_cycles != 0) limit = std::min(limit, options.max_cycles + 1);
  if (limit > now + 1) ahead_->begin_windows(now, limit, calendar_, blocks_left);
}

/// One cycle. Returns whether a core holds anything; `dealing` becomes true if one has got room for a block.
bool Device::run_cores(Cycle now, bool& dealing) {
  const auto is_ahead = [&](unsigned core) { return ahead_ != nullptr && ahead_->is_ahead(core); };
  for (std::uint64_t cores = calendar_.due(now) | memory_.cores_with_responses(); cores != 0; cores &= cores - 1) {
    const auto core = static_cast<unsigned>(std::countr_zero(cores));
    if (!is_ahead(core)) {
      const bool was_full = !cores_[core]->has_room();
      cores_[core]->cycle(now);
      calendar_.wake(core, cores_[core]->next_event(now));
      dealing |= was_full && cores_[core]->has_room();
    } else if (calendar_.of(core) <= now) {
      calendar_.wake(core, ahead_->repeat(core, now));
      dealing |= has_room(core);
    }
    if (cores_[core]->empty() && !is_ahead(core)) busy_ &= ~(std::uint64_t{1} << core);
  }
  return busy_ != 0;
}

/// For a block, in the present cycle.
bool Device::has_room(unsigned core) const {
  return cores_[core]->has_room() && (ahead_ == nullptr || !ahead_->is_ahead(core));
}

/// Cores, memory and the kernel's blocks stay as they are.
Device::End Device::cut_off(const simt::Launch& launch, Cycle now, const ReachedLimit& limit) {
  is_lost_ = true;
  const std::string state = describe_cores();
  for (const auto& core : cores_) core->cut_off(now);
  return {now, still_running(*launch.program, limit, state)};
}

/// One block per core and cycle, cores in turn, from the one behind the last that took a block, be it in an earlier
/// launch: so GPGPU-Sim deals them. False if nobody took one.
bool Device::issue_blocks(Grid& grid, Cycle now) {
  bool any = false;
  const unsigned first = next_core_;
  for (unsigned i = 0; i < spec_.cores && !grid.done(); ++i) {
    const unsigned core = (first + i) % spec_.cores;
    if (!has_room(core)) continue;
    cores_[core]->start_block(grid.take(now), now);
    calendar_.wake(core, now + 1);
    busy_ |= std::uint64_t{1} << core;
    next_core_ = (core + 1) % spec_.cores;
    any = true;
  }
  return any;
}

std::uint64_t Device::running_blocks() const {
  std::uint64_t blocks = 0;
  for (const auto& core : cores_) blocks += core->blocks().running();
  return blocks;
}

std::string Device::describe_cores() const {
  std::string text;
  for (const auto& core : cores_) text += core->describe();
  return text;
}

std::uint64_t Device::flits_carried() const {
  const memory::MemoryStatistics statistics = memory_.statistics();
  return statistics.request_flits + statistics.reply_flits;
}

report::MemoryCounts Device::memory_counts() const {
  memory::CacheStatistics l1d, l1i, constant, texture;
  for (const auto& core : cores_) {
    l1d += core->l1d();
    l1i += core->l1i();
    constant += core->constant();
    texture += core->texture();
  }
  const memory::MemoryStatistics below = memory_.statistics();
  const auto count = [](const memory::CacheStatistics& cache) {
    return report::CacheCount{cache.accesses, cache.misses + cache.hit_pending};
  };
  const memory::DramStatistics& dram = below.dram;
  return {{count(l1d), count(l1i), count(constant), count(texture), count(below.l2)},
          {dram.reads, dram.writes, dram.activates, dram.precharges, dram.row_hits}};
}

}  // namespace warpfork::gpu
