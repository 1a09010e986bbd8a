#include "ooo/in_order_core.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "ooo/waiting_lanes.h"
#include "ooo/warp_front.h"

namespace warpfork::ooo {

namespace {

FrontSpec in_order_front(const MachineSpec& machine) {
  return {.warps = machine.warps,
          .path_entries = PathTable::kMaxEntries,  // the masks are in the instructions: there is no table to be full
          .queue = std::max(1u, machine.pipeline.fetch_buffer / machine.warps),
          .depth = machine.pipeline.front_end_depth,
          .in_uops = machine.widths == "uops",
          .divergence = FrontSpec::Divergence::Always};
}

}  // namespace

/// How far an instruction has issued.
struct InOrderCore::Progress {
  std::size_t uop = 0;
  std::uint32_t repeat = 0;
  std::uint64_t access = AddressQueue::kNone;   // where the accesses of this repetition begin
  std::optional<LaneScoreboard::Value> needed;  // of the next µop: what is written before it has been, in each lane
  bool issued = false, resolved = false;
};

/// An instruction that has been decoded, but has not issued.
struct InOrderCore::Candidate {
  std::uint64_t number;
  LaneMask lanes;
  Cycle ready;  // it cannot issue before
};

struct InOrderCore::Warp {
  Warp(const MachineSpec& machine, unsigned warp, WarpFront& front)
      : front(front), index(warp), values(machine.threads) {}

  void take_decoded(Cycle now) {
    const InstructionWindow& fetched = front.in_flight();
    for (; progress.end() < fetched.end() && fetched[progress.end()].decoded <= now; progress.push_new()) {
      const LaneMask lanes = fetched[progress.end()].lanes;
      candidates.push() = {progress.end(), lanes, 0};
      waiting.enter(lanes);
    }
  }

  WarpFront& front;
  unsigned index;
  NumberedQueue<Progress> progress;     // of the decoded, numbered as the front end's instructions
  NumberedQueue<Candidate> candidates;  // by age
  LaneScoreboard values;
  Cycle issued_at = kNever;              // its last µop
  CycleCause stall = CycleCause::Width;  // why the oldest instruction that was tried in this cycle has not issued
  bool tried = false;
  WaitingLanes waiting;
};

InOrderCore::InOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                         Synchronisation& synchronisation)
    : Core(machine, false, in_order_front(machine), threads, code, synchronisation),
      issue_order_(chosen(kIssueOrders, machine.issue_order, "issue order")) {
  for (unsigned warp = 0; warp < machine.warps; ++warp)
    warps_.push_back(std::make_unique<Warp>(machine_, warp, *fronts_[warp]));
}

InOrderCore::~InOrderCore() = default;

bool InOrderCore::run_stages() {
  wake_ = kNever;
  bool busy = resolve();
  busy |= issue();
  busy |= commit();
  return busy;
}

Cycle InOrderCore::next_event() const {
  Cycle next = std::min({wake_, units_.next_free(now_), resolutions_.next()});
  for (const auto& warp : warps_) {
    const InstructionWindow& fetched = warp->front.in_flight();
    const std::uint64_t number = warp->progress.end();
    if (number < fetched.end() && fetched[number].decoded > now_) next = std::min(next, fetched[number].decoded);
  }
  return next;
}

void InOrderCore::count_causes(Cycle cycles) {
  live_.for_each([&](unsigned warp) { counts_.warp_cycles[static_cast<unsigned>(cause_of(warp))] += cycles; });
}

inline CycleCause InOrderCore::cause_of(unsigned index) const {
  const Warp& warp = *warps_[index];
  if (warp.front.finished()) return CycleCause::Ended;
  if (warp.issued_at == now_) return CycleCause::Busy;
  const InstructionWindow& fetched = warp.front.in_flight();
  const std::uint64_t oldest = fetched.next();
  if (oldest >= fetched.end()) return warp.front.waits_for_others() ? CycleCause::Waiting : CycleCause::FrontEnd;
  if (fetched[oldest].instruction == nullptr) return CycleCause::Latency;  // masks
  const bool is_wrong_path = fetched[oldest].lanes == 0;
  return is_wrong_path || fetched[oldest].decoded > now_ ? CycleCause::FrontEnd : warp.stall;
}

bool InOrderCore::resolve() {
  bool any = false;
  resolutions_.pop_done(now_, [&](const UopId& due) {
    Warp& warp = *warps_[due.warp];
    const Flush flush = warp.front.resolution().resolve(due.order);
    check(flush == Flush::Nothing, [&] { return "a branch flushes an in-order core:\n" + describe(); });
    tell_resolved(due.warp, due.order);
    warp.progress[due.order].resolved = true;
    any = true;
  });
  return any;
}

bool InOrderCore::issue() {
  unsigned left = machine_.pipeline.issue_width;
  bool any = false;
  for (const auto& warp : warps_) {
    warp->stall = CycleCause::Width;
    warp->tried = false;
  }
  turns_.visit(live_, [&](unsigned warp) {
    any |= issue_from(*warps_[warp], left);
    return left != 0;
  });
  return any;
}

/// Oldest first; who shares a thread with an older instruction that has not issued stays behind it, or everybody does.
/// What is on a wrong path holds nobody up.
[[gnu::flatten]] bool InOrderCore::issue_from(Warp& warp, unsigned& left) {
  warp.take_decoded(now_);
  LaneMask blocked = 0;
  bool any = false;
  for (std::uint64_t at = warp.candidates.begin(); at != warp.candidates.end() && left != 0; ++at) {
    Candidate& candidate = warp.candidates[at];
    const LaneMask lanes = candidate.lanes;
    if ((lanes & blocked) == 0) {
      if (candidate.ready > now_)
        wait(warp, candidate);
      else if (issue_instruction(warp, candidate, left))
        any = true;
      if (warp.progress[candidate.number].issued) {
        warp.waiting.issue(lanes);
        warp.candidates.erase(at);
        continue;
      }
    }
    if (lanes == 0) continue;
    blocked = issue_order_ == IssueOrder::Warp ? ~LaneMask{0} : blocked | lanes;
    if (warp.waiting.are_all(blocked)) break;
  }
  if (any) take_issued(warp);
  return any;
}

/// They leave the fetch buffer in order.
void InOrderCore::take_issued(Warp& warp) {
  const InstructionWindow& fetched = warp.front.in_flight();
  while (fetched.next() < warp.progress.end() && warp.progress[fetched.next()].issued) warp.front.take();
}

/// For its operands.
void InOrderCore::wait(Warp& warp, const Candidate& candidate) {
  wake_ = std::min(wake_, candidate.ready);
  const bool is_oldest = !std::exchange(warp.tried, true);
  if (!is_oldest) return;
  warp.stall = warp.progress[candidate.number].needed->loaded ? CycleCause::Memory : CycleCause::Latency;
}

/// Issues what it can of the instruction. True if that was anything.
bool InOrderCore::issue_instruction(Warp& warp, Candidate& candidate, unsigned& left) {
  const std::uint64_t number = candidate.number;
  const Fetched& fetched = warp.front.in_flight()[number];
  Progress& progress = warp.progress[number];
  if (fetched.instruction == nullptr) return issue_paths(warp, number);
  if (fetched.lanes == 0) {  // fetched on a wrong path; it leaves when that is known
    progress.issued = progress.resolved = warp.front.paths().mask(fetched.path) == 0;
    if (progress.issued && listeners_.any()) [[unlikely]]
      listeners_.tell([=, this, &warp](CoreListener& listener) { listener.flushed(now_, warp.index, number); });
    return progress.issued;
  }
  bool any = false;
  while (left != 0 && issue_uop(warp, candidate, fetched, progress)) {
    any = true;
    left -= takes_width(widths_, *fetched.instruction, progress.uop);
    ++counts_.issued;
    ++counts_.uops;
    if (++progress.uop < fetched.uops) continue;
    progress.uop = 0;
    if (++progress.repeat < fetched.repeats) {
      progress.access =
          warp.front.in_flight().addresses().behind(progress.access, fetched.instruction->accesses.size());
      continue;
    }
    progress.issued = true;
    progress.resolved = fetched.role == Role::Plain;
    if (!progress.resolved) resolutions_.push(now_ + machine_.latency.branch, {number, 0, warp.index});
    break;
  }
  return any;
}

/// Paths that meet, or threads that part at an event: no instruction.
bool InOrderCore::issue_paths(Warp& warp, std::uint64_t number) {
  if (!warp.front.resolution().may_resolve(number)) return false;
  Progress& progress = warp.progress[number];
  progress.issued = true;
  operations_.add(x86::UopKind::Branch, x86::UopWidth::Scalar, 1);  // a mask
  resolutions_.push(now_, {number, 0, warp.index});
  tell_issue(warp, number, nullptr, now_ + 1);
  return true;
}

bool InOrderCore::issue_uop(Warp& warp, Candidate& candidate, const Fetched& fetched, Progress& progress) {
  const x86::Uop& uop = fetched.instruction->uops[progress.uop];
  const Unit unit = FunctionalUnits::unit_of(uop.kind);
  const FunctionalUnits::Timing timing = units_.timing(uop.kind, uop.width, fetched.lanes);
  const unsigned soonest = unit == Unit::Memory ? machine_.memory.l1_latency : timing.latency;
  const bool waits_for_all = uop.kind == x86::UopKind::Serialize || fetched.instruction->atomic;
  if (!progress.needed)
    progress.needed =
        waits_for_all ? warp.values.all(fetched.lanes) : warp.values.operands(uop, fetched.lanes, soonest);
  candidate.ready = progress.needed->ready;
  if (candidate.ready > now_) {
    wait(warp, candidate);
    return false;
  }
  const bool is_oldest = !std::exchange(warp.tried, true);
  if (uop.kind == x86::UopKind::Store && store_may_issue_at() > now_) {
    wake_ = std::min(wake_, store_may_issue_at());
    if (is_oldest) warp.stall = CycleCause::Memory;
    return false;
  }
  if (!units_.free(unit, now_)) return false;
  unsigned busy = timing.busy;
  const Cycle done = unit == Unit::Memory ? access(warp, fetched, uop, progress, busy) : now_ + timing.latency;
  units_.occupy(unit, now_, busy);
  operations_.add(uop.kind, uop.width, lane_count(fetched.lanes));
  last_result_ = std::max(last_result_, done);
  warp.issued_at = now_;
  warp.values.write(uop, fetched.lanes, {done, unit == Unit::Memory});
  progress.needed.reset();
  tell_issue(warp, candidate.number, &uop, done);
  return true;
}

Cycle InOrderCore::access(Warp& warp, const Fetched& fetched, const x86::Uop& uop, Progress& progress, unsigned& busy) {
  const AddressQueue& queue = warp.front.in_flight().addresses();
  if (progress.access == AddressQueue::kNone) progress.access = fetched.addresses;
  return Core::access(queue, queue.behind(progress.access, uop.access), access_bytes(*fetched.instruction, uop),
                      uop.kind == x86::UopKind::Store, fetched.instruction->atomic, busy);
}

bool InOrderCore::commit() {
  bool any = false;
  live_.for_each([&](unsigned index) {
    Warp& warp = *warps_[index];
    while (!warp.progress.empty() && warp.progress[warp.progress.begin()].resolved) {
      const std::uint64_t number = warp.progress.begin();
      if (!warp.progress[number].issued || number >= warp.front.in_flight().next()) break;
      commit_oldest(index);
      warp.progress.drop_before(number + 1);
      any = true;
    }
  });
  return any;
}

void InOrderCore::introduce(CoreListener& listener) const {
  for (const auto& warp : warps_) listener.started(warp->index, warp->front.paths(), nullptr);
}

/// `uop`: null where paths meet or part. Nothing takes the µop back.
void InOrderCore::tell_issue(const Warp& warp, std::uint64_t number, const x86::Uop* uop, Cycle done) {
  const std::uint64_t order = order_++;
  if (listeners_.any()) [[unlikely]]
    listeners_.tell([=, this, &warp](CoreListener& listener) {
      const Fetched& fetched = warp.front.in_flight()[number];
      listener.entered({now_, warp.index, number, order, fetched, uop});
      listener.issued({now_, order, done});
      listener.committed({now_, warp.index, order, warp.front.paths().mask(fetched.path)});
    });
}

CoreCounts InOrderCore::counts() const {
  CoreCounts counts = Core::counts();
  if (last_result_ > counts.cycles) {
    counts.warp_cycles[static_cast<unsigned>(CycleCause::Ended)] += (last_result_ - counts.cycles) * warps_.size();
    counts.cycles = last_result_;
  }
  return counts;
}

}  // namespace warpfork::ooo
