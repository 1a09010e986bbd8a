#include "gpu/run_ahead.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "gpu/core.h"

namespace warpfork::gpu {

namespace {

/// Cycles from the issue of a load to the first one in which its result may be read, if the constant or texture cache
/// has it: a cycle each to the collector, to the load/store unit, and there to the cache, which answers in that cycle.
constexpr Cycle kSoonestResult = 3;

constexpr int kFewest = 2;  // cores that a window is worth while for

}  // namespace

bool may_run_ahead(const simt::Launch& launch, const LaunchOptions& options) {
  const bool is_observed = options.counts_activity || options.counts_lines || options.interval != 0 ||
                           options.check_races || options.listener != nullptr || options.trace != nullptr ||
                           options.max_instructions != 0;
  const bool is_looked_at = options.check_memory || options.check_scalars;
  return options.threads > 1 && !options.functional_only && !is_observed && !is_looked_at &&
         std::ranges::none_of(launch.program->function->body, [](const ptx::Instruction& instruction) {
           return instruction.opcode == ptx::Opcode::Call;  // of the system, as printf
         });
}

RunAhead::RunAhead(const MachineSpec& spec, unsigned threads, const Cores& cores, memory::MemorySystem& memory)
    : spec_(spec),
      cores_(cores),
      memory_(memory),
      accesses_(cores.size(), simt::DeferredAccesses(changed_)),
      ran_(cores.size()),
      threads_(threads, static_cast<unsigned>(cores.size()), [this](unsigned core) { run(core); }) {}

void RunAhead::begin_kernel(const std::function<void()>* at_borders) {
  until_ = 0;
  at_borders_ = at_borders;
  for (Ran& ran : ran_) ran.repeated = ran.cycles.size();
}

/// No response may be missing, and no load's result be read.
Cycle RunAhead::end_of_window(Cycle now) const {
  return std::min(memory_.known_until(now), now + kSoonestResult + spec_.core.l1d.hit_latency);
}

bool RunAhead::can_begin(unsigned core, Cycle now, Cycle until, Cycle wake) const {
  return !cores_[core]->empty() && memory_.can_run_ahead(core, now, until) &&
         std::min(wake, memory_.response_cycle(core)) < until;
}

void RunAhead::begin_window(Cycle now, Cycle until, CoreCalendar& calendar, bool blocks_left) {
  std::uint64_t cores = 0;
  for (unsigned core = 0; core < cores_.size(); ++core)
    if (can_begin(core, now, until, calendar.of(core))) cores |= std::uint64_t{1} << core;
  if (std::popcount(cores) < kFewest) return;
  begin_ = now;
  until_ = until;
  calendar_ = &calendar;
  blocks_left_ = blocks_left;
  changed_.forget();
  const auto for_each = [&](auto&& visit) {
    for (std::uint64_t rest = cores; rest != 0; rest &= rest - 1) visit(static_cast<unsigned>(std::countr_zero(rest)));
  };
  for_each([&](unsigned core) { memory_.begin_ahead(core); });
  threads_.run(cores, at_borders_);
  memory_.end_ahead();
  for_each([&](unsigned core) {
    accesses_[core].stop();
    if (is_ahead(core)) calendar.wake(core, ran_[core].cycles.front());
  });
}

void RunAhead::run(unsigned core) {
  Ran& ran = ran_[core];
  ran.cycles.clear();
  ran.repeated = 0;
  ran.failure = nullptr;
  accesses_[core].defer();
  try {
    run_cycles(core, ran);
  } catch (...) {
    ran.failure = std::current_exception();
  }
}

void RunAhead::run_cycles(unsigned number, Ran& ran) {
  Core& core = *cores_[number];
  const simt::DeferredAccesses& accesses = accesses_[number];
  ran.wake = calendar_->of(number);
  Cycle now = begin_;
  bool is_seen = true;  // what the core did in the latest cycle
  while (true) {
    now = std::max(now, std::min(ran.wake, memory_.next_response_ahead(number)));
    if (now >= until_) return;
    if (accesses.quick_load() != kNever && now >= accesses.quick_load() + kSoonestResult) return;
    memory_.set_cycle_ahead(number, now);
    if (is_seen)
      ran.cycles.push_back(now);
    else
      ran.cycles.back() = now;
    core.cycle(now);
    is_seen = accesses.latest() == now || memory_.has_called_ahead(number);
    ran.wake = core.next_event(now);
    if (core.empty() || (blocks_left_ && core.has_room())) return;
    ++now;
  }
}

Cycle RunAhead::repeat(unsigned core, Cycle now) {
  Ran& ran = ran_[core];
  accesses_[core].perform(now);
  ++ran.repeated;
  if (!is_ahead(core) && ran.failure) std::rethrow_exception(std::exchange(ran.failure, nullptr));
  memory_.repeat(core, now);
  return is_ahead(core) ? ran.cycles[ran.repeated] : ran.wake;
}

}  // namespace warpfork::gpu
