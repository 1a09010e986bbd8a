#include "ooo/core.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ooo/warp_front.h"

namespace warpfork::ooo {

Core::Core(const MachineSpec& machine, bool wide_vectors, const FrontSpec& front, std::span<ThreadWindow> threads,
           const x86::Code& code, Synchronisation& synchronisation)
    : machine_(machine),
      widths_(chosen(kWidthUnits, machine.widths, "unit of widths")),
      turns_(machine.warps),
      units_(machine.pipeline, machine.latency, wide_vectors),
      memory_(machine.memory, machine.threads),
      store_buffer_(machine.memory.store_buffer) {
  for (unsigned first = 0; first < machine.warps * machine.threads; first += machine.threads)
    fronts_.push_back(std::make_unique<WarpFront>(front, threads.subspan(first, machine.threads), first, code,
                                                  predictors_, synchronisation));
  for (unsigned warp = 0; warp < machine.warps; ++warp)
    if (!fronts_[warp]->finished()) live_.insert(warp);
}

Core::~Core() = default;

bool Core::cycle() {
  bool busy = run_stages();
  busy |= fetch();
  if (busy) {
    pass(now_ + 1);
    return true;
  }
  if (std::ranges::all_of(fronts_, [](const auto& front) { return front->finished(); })) return false;
  const Cycle next = next_event();
  if (next == kNever) throw Error("error: no thread can go on after {} cycles\n{}", now_, describe());
  pass(next);
  return true;
}

void Core::pass(Cycle next) {
  count_causes(next - now_);
  now_ = next;
  turns_.begin_cycle(now_);
}

bool Core::fetch() {
  bool any = false, events = false;
  const bool told = listeners_.any();
  turns_.visit(WarpSet::first(machine_.warps), [&](unsigned warp) {
    WarpFront& front = *fronts_[warp];
    const std::uint64_t begin = front.in_flight().end(), passed = front.events();
    any = front.fetch(now_, machine_.pipeline.fetch_width) != 0;
    if (front.begun() != 0) live_.insert(warp);
    if (told) [[unlikely]]
      listeners_.tell([=, this, &front](CoreListener& listener) {
        if (front.begun() != 0) listener.began(warp, front.begun());
        for (std::uint64_t number = begin; number < front.in_flight().end(); ++number) {
          const Fetched& fetched = front.in_flight()[number];
          listener.fetched({now_, warp, number, fetched, front.in_flight().branch_of(fetched)});
        }
      });
    events |= front.events() != passed;
    return !any;
  });
  return any || events;
}

/// When its threads have ended nothing of the warp is in flight: what was fetched on a wrong path is older than the
/// last instruction of the threads that left it.
void Core::commit_oldest(unsigned warp) {
  fronts_[warp]->commit();
  if (fronts_[warp]->finished()) live_.erase(warp);
}

Cycle Core::access(const AddressQueue& queue, std::uint64_t position, unsigned bytes, bool store, bool atomic,
                   unsigned& busy) {
  const LaneMask lanes = queue[position];
  if (lanes == 0) return now_ + 1;
  addresses_.clear();
  for (std::uint64_t at = position + 1; at < queue.behind(position); ++at) addresses_.push_back(queue[at]);
  const DataMemory::Answer answer = memory_.access(addresses_, lanes, bytes, store, now_);
  if (store) store_buffer_.take(answer.ready);
  busy = std::max(busy, answer.slots);
  if (atomic) busy += lane_count(lanes) - 1;  // threads that want the same line take turns
  return store ? now_ + machine_.latency.store : answer.ready + busy - answer.slots;
}

void Core::tell_resolved(unsigned warp, std::uint64_t instruction) const {
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this](CoreListener& listener) {
      const WarpFront& front = *fronts_[warp];
      const Fetched& fetched = front.in_flight()[instruction];
      if (fetched.role == Role::Branch) return;
      listener.resolved({now_, warp, instruction, *front.in_flight().branch_of(fetched), front.paths()});
    });
}

CoreCounts Core::counts() const {
  CoreCounts counts = counts_;
  counts.cycles = now_;
  std::uint64_t live = 0;
  for (const std::uint64_t cycles : counts.warp_cycles) live += cycles;
  counts.warp_cycles[static_cast<unsigned>(CycleCause::Ended)] += now_ * fronts_.size() - live;
  counts.operations = operations_.counts();
  counts.memory = memory_.counts();
  for (const auto& front : fronts_) counts.front += front->counts();
  return counts;
}

std::string Core::describe() const {
  std::string text;
  for (std::size_t warp = 0; warp < fronts_.size(); ++warp)
    text += fmt::format("warp {}\n{}", warp, fronts_[warp]->describe());
  return text;
}

}  // namespace warpfork::ooo
