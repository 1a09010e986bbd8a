#include "gpu/run_ahead.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/for_each_bit.h"
#include "gpu/core.h"
#include "ptx/call_parts.h"

namespace warpfork::gpu {

namespace {

/// Cycles from the issue of a load to the first one in which its result may be read, if the constant or texture cache
/// has it: a cycle each to the collector, to the load/store unit, and there to the cache, which answers in that cycle.
constexpr Cycle kSoonestResult = 3;

constexpr unsigned kFewest = 2;   // cores that a window of several threads is worth while for
constexpr Cycle kLongest = 4096;  // window of one thread
constexpr Cycle kTogether = 64;   // at multiples of this long windows of several threads begin, and end

/// Their handlers find the addresses, and have no way to do it apart from the access.
bool accesses_image(ptx::Opcode opcode) {
  using enum ptx::Opcode;
  return opcode == Tex || opcode == Tld4 || opcode == Suld || opcode == Sust;
}

}  // namespace

bool may_run_ahead(const simt::Launch& launch, const LaunchOptions& options) {
  const bool is_observed = options.counts_activity || options.counts_lines || options.interval != 0 ||
                           options.check_races || options.listener != nullptr || options.trace != nullptr ||
                           options.max_instructions != 0;
  const bool is_looked_at = options.check_memory || options.check_scalars;
  return !options.functional_only && options.sample.empty() && !is_observed && !is_looked_at &&
         std::ranges::none_of(launch.program->function->body, [](const ptx::Instruction& instruction) {
           return accesses_image(instruction.opcode) ||
                  (instruction.opcode == ptx::Opcode::Call && ptx::parts_of(instruction).function);  // as printf
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
  begin_ = next_ = 0;
  at_borders_ = at_borders;
  are_ahead_ = 0;
}

/// Of a window in which others see something of the core from this cycle on: no response may be missing, and no load's
/// result be read.
Cycle RunAhead::end_if_seen(Cycle now) const {
  if (threads() == 1) return now + 1;
  return std::min(memory_.known_until(now), now + kSoonestResult + spec_.core.l1d.hit_latency);
}

/// Of one that begins now, if they do not.
Cycle RunAhead::end_if_unseen(Cycle now) const {
  if (threads() == 1) return now + kLongest;
  const Cycle number = now / kTogether;
  return number == begin_ / kTogether ? end_if_seen(now) : (number + 1) * kTogether;
}

/// Those that begin windows, a bit each.
std::uint64_t RunAhead::choose(Cycle now, Cycle limit, const CoreCalendar& calendar) {
  const Cycle seen = end_if_seen(now), unseen = end_if_unseen(now);
  const std::uint64_t awaiting = memory_.cores_awaiting_response();
  std::uint64_t candidates = ~std::uint64_t{0} >> (64 - cores_.size()) & ~are_ahead_, cores = 0;
  if (threads() == 1) candidates &= ~awaiting;
  for_each_bit(candidates, [&](unsigned core) {
    const Cycle until = std::min(limit, (awaiting >> core & 1) != 0 ? seen : unseen);
    const Cycle wake = std::min(calendar.of(core), memory_.response_cycle(core));
    if (wake >= until || cores_[core]->empty() || !memory_.can_run_ahead(core)) return;
    ran_[core].until = until;
    cores |= std::uint64_t{1} << core;
  });
  return cores;
}

void RunAhead::begin_windows(Cycle now, Cycle limit, CoreCalendar& calendar, bool blocks_left) {
  const std::uint64_t cores = choose(now, limit, calendar);
  begin_ = now;
  next_ = threads() == 1 ? memory_.known_until(now) : end_if_seen(now);
  if (static_cast<unsigned>(std::popcount(cores)) < std::min(threads(), kFewest)) return;
  calendar_ = &calendar;
  blocks_left_ = blocks_left;
  if (are_ahead_ == 0) changed_.forget();
  for_each_bit(cores, [&](unsigned core) { memory_.begin_ahead(core); });
  threads_.run(cores, at_borders_);
  memory_.end_ahead();
  are_ahead_ |= cores;
  for_each_bit(cores, [&](unsigned core) {
    accesses_[core].stop();
    calendar.wake(core, ran_[core].cycles.front());
  });
}

/// It has something to do before the window ends.
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
  if (ran.cycles.empty() || ran.cycles.back() != ran.last) ran.cycles.push_back(ran.last);
}

void RunAhead::run_cycles(unsigned number, Ran& ran) {
  Core& core = *cores_[number];
  const simt::DeferredAccesses& accesses = accesses_[number];
  ran.wake = calendar_->of(number);
  Cycle now = begin_;
  while (true) {
    now = std::max(now, std::min(ran.wake, memory_.next_response_ahead(number)));
    if (now >= ran.until) return;
    if (accesses.quick_load() != kNever && now >= accesses.quick_load() + kSoonestResult) return;
    memory_.set_cycle_ahead(number, now);
    ran.last = now;
    core.cycle(now);
    const bool is_seen = accesses.latest() == now || memory_.has_called_ahead(number);
    if (is_seen) {
      ran.cycles.push_back(now);
      ran.until = std::min(ran.until, end_if_seen(now));
    }
    ran.wake = core.next_event(now);
    if (core.empty() || (blocks_left_ && core.has_room())) return;
    ++now;
  }
}

Cycle RunAhead::repeat(unsigned core, Cycle now) {
  Ran& ran = ran_[core];
  accesses_[core].perform(now);
  if (++ran.repeated == ran.cycles.size()) are_ahead_ -= std::uint64_t{1} << core;
  if (!is_ahead(core) && ran.failure) std::rethrow_exception(std::exchange(ran.failure, nullptr));
  memory_.repeat(core, now);
  return is_ahead(core) ? ran.cycles[ran.repeated] : ran.wake;
}

}  // namespace warpfork::gpu
