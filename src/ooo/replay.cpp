#include "ooo/replay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "ooo/spin_free_stream.h"

namespace warpfork::ooo {

namespace {

constexpr unsigned kProgressCycles = 1 << 16;  // of the core's between two reports of progress
constexpr unsigned kProgressInstructions = 1 << 20;

/// A lane without a thread.
class NoStream final : public x86::InstructionStream {
 public:
  bool next(x86::DynamicInstruction&) override { return false; }
};

/// A core numbers its threads from 0 on, a recording all that there were. Events behind a thread's last instruction
/// hold nobody up but those that wait for them.
class Numbered final : public Synchronisation {
 public:
  Numbered(ReplayedSynchronisation synchronisation, const std::vector<unsigned>& threads,
           const std::vector<std::vector<x86::SyncEvent>>& last_events)
      : synchronisation_(std::move(synchronisation)), threads_(threads), last_events_(last_events) {
    for (unsigned thread = 0; thread < last_events.size(); ++thread)
      if (std::ranges::find(threads, thread) == threads.end()) end(thread);
  }
  bool passes(unsigned thread, const x86::SyncEvent& event) override {
    return synchronisation_.passes(threads_[thread], event);
  }
  void ended(unsigned thread) override { end(threads_[thread]); }
  std::string describe() const { return synchronisation_.describe(); }

 private:
  void end(unsigned thread) {
    for (const x86::SyncEvent& event : last_events_[thread]) synchronisation_.passes(thread, event);
    synchronisation_.ended(thread);
  }

  ReplayedSynchronisation synchronisation_;
  const std::vector<unsigned>& threads_;
  const std::vector<std::vector<x86::SyncEvent>>& last_events_;
};

}  // namespace

Replay::Replay(const x86::Recording& recording, const Progress& progress) : recording_(recording) {
  for (unsigned thread = 0; thread < recording.threads(); ++thread) {
    SpinFreeStream stream(recording.open(thread));
    x86::DynamicInstruction instruction;
    const std::uint64_t before = instructions_;
    for (bool more = true; more;) {
      more = stream.next(instruction);
      instructions_ += more;
      if (progress && instructions_ % kProgressInstructions == 0) progress(instructions_ + spinning_);
      for (const x86::SyncEvent& event : instruction.events) synchronisation_.add(thread, event);
    }
    spinning_ += stream.left_out();
    last_events_.emplace_back(instruction.events.begin(), instruction.events.end());
    if (instructions_ != before) threads_.push_back(thread);
  }
  synchronisation_.finish();
}

ReplayResult Replay::run(const CoreRecipe& core, const MachineSpec& machine, const Progress& progress,
                         std::span<CoreListener* const> listeners) const {
  if (threads() > machine.warps * machine.threads)
    throw Error("{}: {} threads, but the core runs {} warps of {}\n  --warps and --threads choose a larger one",
                recording_.path(), threads(), machine.warps, machine.threads);
  ReplayResult result;
  result.machine = core.adapt(machine);
  std::vector<ThreadWindow> windows;
  for (unsigned lane = 0; lane < result.machine.warps * result.machine.threads; ++lane) {
    if (lane < threads())
      windows.emplace_back(std::make_unique<SpinFreeStream>(recording_.open(threads_[lane])));
    else
      windows.emplace_back(std::make_unique<NoStream>());
  }
  Numbered synchronisation(synchronisation_, threads_, last_events_);
  const std::unique_ptr<Core> made = core.make(result.machine, windows, recording_.code(), synchronisation);
  for (CoreListener* const listener : listeners) made->listen(*listener);
  try {
    for (unsigned cycles = 1; made->cycle(); ++cycles)
      if (progress && cycles % kProgressCycles == 0) progress(made->counts().front.thread_instructions);
  } catch (const Error& error) {
    throw Error("{}: {}{}", recording_.path(), error.what(), synchronisation.describe());
  }
  result.counts = made->counts();
  return result;
}

}  // namespace warpfork::ooo
