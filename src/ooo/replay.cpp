#include "ooo/replay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "ooo/spin_loop_filter.h"

namespace warpfork::ooo {

namespace {

constexpr unsigned kProgressCycles = 1 << 16;  // of the core's between two reports of progress
constexpr unsigned kProgressInstructions = 1 << 20;

/// A lane without a thread.
class NoStream final : public x86::InstructionStream {
 public:
  bool next(x86::DynamicInstruction&) override { return false; }
};

constexpr unsigned kNobody = ~0u;

/// A core knows threads by their lanes, a recording by their numbers. Events behind a thread's last instruction hold
/// nobody up but those that wait for them.
class Lanes final : public Synchronisation {
 public:
  /// `threads`: those that have instructions, in the order in which they begin.
  Lanes(const x86::Recording& recording, ReplayedSynchronisation synchronisation, const std::vector<unsigned>& threads,
        const std::vector<std::vector<x86::SyncEvent>>& last_events, unsigned lanes)
      : recording_(recording),
        synchronisation_(std::move(synchronisation)),
        threads_(threads),
        last_events_(last_events),
        on_lane_(lanes, kNobody) {
    for (unsigned thread = 0; thread < last_events.size(); ++thread)
      if (std::ranges::find(threads, thread) == threads.end()) end(thread);
    deal();
  }
  bool passes(unsigned lane, const x86::SyncEvent& event) override {
    const bool passes = synchronisation_.passes(on_lane_[lane], event);
    if (event.kind == x86::SyncKind::ThreadCreate) deal();
    return passes;
  }
  void ended(unsigned lane) override {
    end(on_lane_[lane]);
    on_lane_[lane] = kNobody;
    deal();
  }
  std::unique_ptr<x86::InstructionStream> begin(unsigned lane) override {
    arriving_ &= ~(LaneMask{1} << lane);
    return std::make_unique<SpinLoopFilter>(recording_.open(on_lane_[lane]));
  }
  unsigned recorded_thread(unsigned lane) const override { return on_lane_[lane]; }
  bool all_have_begun() const { return next_ == threads_.size() && arriving_ == 0; }
  std::string describe() const { return synchronisation_.describe(); }

 private:
  void deal() {
    while (next_ < threads_.size() && synchronisation_.may_start(threads_[next_])) {
      const auto free = std::ranges::find(on_lane_, kNobody);
      if (free == on_lane_.end()) return;
      *free = threads_[next_++];
      arriving_ |= LaneMask{1} << (free - on_lane_.begin());
    }
  }
  void end(unsigned thread) {
    for (const x86::SyncEvent& event : last_events_[thread]) synchronisation_.passes(thread, event);
    synchronisation_.ended(thread);
  }

  const x86::Recording& recording_;
  ReplayedSynchronisation synchronisation_;
  const std::vector<unsigned>& threads_;
  const std::vector<std::vector<x86::SyncEvent>>& last_events_;
  std::vector<unsigned> on_lane_;  // numbers in the recording
  std::size_t next_ = 0;           // in threads_
};

}  // namespace

Replay::Replay(const x86::Recording& recording, const Progress& progress)
    : recording_(recording), started_(recording.threads()), joined_(recording.threads(), UINT64_MAX) {
  std::uint64_t reported = 0;
  for (unsigned thread = 0; thread < recording.threads(); ++thread) {
    SpinLoopFilter stream(recording.open(thread));
    x86::DynamicInstruction instruction;
    const std::uint64_t before = instructions_;
    for (bool more = true; more;) {
      more = stream.next(instruction);
      instructions_ += more + stream.pass_over();
      if (progress && instructions_ - reported >= kProgressInstructions) {
        progress(instructions_ + spinning_);
        reported = instructions_;
      }
      for (const x86::SyncEvent& event : instruction.events) note(thread, event);
    }
    spinning_ += stream.left_out();
    last_events_.emplace_back(instruction.events.begin(), instruction.events.end());
    if (instructions_ != before) threads_.push_back(thread);
  }
  synchronisation_.finish();
  std::ranges::stable_sort(threads_, {}, [&](unsigned thread) { return started_[thread]; });
  contexts_ = contexts_needed();
}

void Replay::note(unsigned thread, const x86::SyncEvent& event) {
  synchronisation_.add(thread, event);
  if (event.kind == x86::SyncKind::ThreadStart) started_[thread] = event.sequence;
  if (event.kind == x86::SyncKind::ThreadJoin && event.leaves && event.object < joined_.size())
    joined_[event.object] = event.sequence;
}

unsigned Replay::contexts_needed() const {
  std::ptrdiff_t most = 0;
  for (auto last = threads_.begin(); last != threads_.end(); ++last)
    most = std::max(most, 1 + std::count_if(threads_.begin(), last,
                                            [&](unsigned thread) { return joined_[thread] > started_[*last]; }));
  return static_cast<unsigned>(most);
}

ReplayResult Replay::run(const CoreRecipe& core, const MachineSpec& machine, const Progress& progress,
                         std::span<CoreListener* const> listeners) const {
  check_ranges(machine);
  const unsigned lanes = machine.warps * machine.threads;
  if (contexts() > lanes)
    throw Error("{}: {} threads at once, but the core runs {} of {}\n  --warps and --threads choose a larger one",
                recording_.path(), contexts(), counted(machine.warps, "warp"), machine.threads);
  ReplayResult result;
  result.machine = core.adapt(machine);
  Lanes synchronisation(recording_, synchronisation_, threads_, last_events_, lanes);
  std::vector<ThreadWindow> windows;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (synchronisation.arriving(lane, 1) != 0)
      windows.emplace_back(synchronisation.begin(lane));
    else
      windows.emplace_back(std::make_unique<NoStream>());
  }
  const std::unique_ptr<Core> made = core.make(result.machine, windows, recording_.code(), synchronisation);
  for (CoreListener* const listener : listeners) made->listen(*listener);
  try {
    for (unsigned cycles = 1; made->cycle(); ++cycles)
      if (progress && cycles % kProgressCycles == 0) progress(made->counts().front.thread_instructions);
    if (!synchronisation.all_have_begun()) throw Error("error: a thread was never created\n");
  } catch (const Error& error) {
    throw Error("{}: {}{}", recording_.path(), error.what(), synchronisation.describe());
  }
  result.counts = made->counts();
  return result;
}

}  // namespace warpfork::ooo
