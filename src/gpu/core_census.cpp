// What a core tells its listener about the threads and splits that it holds (MULTIPATH Figures 4, 13 and 14).
#include <numeric>

#include "base/error.h"
#include "gpu/core.h"

namespace warpfork::gpu {

using report::ThreadState;

/// After threads of the block have exited, come to a barrier or left one.
void Core::count_threads(unsigned slot) {
  const ResidentBlock& block = blocks_.block(slot);
  CountedThreads& counted = counted_[slot];
  const auto change = [&](TimedCount& count, unsigned& before, unsigned now) {
    count.add(static_cast<int>(now) - static_cast<int>(before), buffers_.clock());
    before = now;
  };
  const unsigned live = block.live_threads();
  change(live_threads_, counted.live, live);
  change(waiting_threads_, counted.waiting, block.waiting_threads());
  change(running_threads_, counted.running, live != 0 ? launch_->threads_per_block() : 0);
}

/// Threads that find their unit's entry taken: the only state that changes without one of the entries.
void Core::count_busy_units() {
  for (unsigned port = 0; port < kPorts; ++port) {
    const WarpSlots free = lanes_->free_for(static_cast<Port>(port));
    if (free == ~WarpSlots{0}) continue;
    if (free == 0) {
      unit_waits_[port] += buffers_.threads(kReadyStates[port]).count();
      continue;
    }
    for (EntrySet rest = buffers_.in(kReadyStates[port]); rest != 0; rest &= rest - 1)
      if (const InstructionBufferEntry& entry = buffers_[lowest_entry(rest)]; (free >> entry.warp & 1) == 0)
        unit_waits_[port] += entry.threads;
  }
}

report::ThreadCycles Core::thread_cycles() const {
  report::ThreadCycles cycles{};
  const Cycle until = buffers_.clock();
  const auto of = [&](ThreadState state) -> Cycle& { return cycles[static_cast<unsigned>(state)]; };
  const auto in = [&](EntryState state) { return buffers_.threads(state).sum(until); };
  for (unsigned port = 0; port < kPorts; ++port) {
    of(ThreadState::Eligible) += in(kReadyStates[port]) - unit_waits_[port];
    of(ThreadState::StructuralHazard) += unit_waits_[port];
  }
  of(ThreadState::StructuralHazard) += in(EntryState::ScoreboardFull) + in(EntryState::TableMiss);
  of(ThreadState::DataHazard) = in(EntryState::BlockedRegister) + in(EntryState::BlockedMemory);
  of(ThreadState::EmptyBuffer) = in(EntryState::Empty) + in(EntryState::Redirected);
  of(ThreadState::Barrier) = in(EntryState::Suspended) + waiting_threads_.sum(until);
  const Cycle live = live_threads_.sum(until), elsewhere = std::accumulate(cycles.begin(), cycles.end(), Cycle{0});
  check(elsewhere <= live, [&] {
    return fmt::format("core {} counts {} thread-cycles by state, but {} of live threads", number_, elsewhere, live);
  });
  of(ThreadState::Suspended) = live - elsewhere;
  of(ThreadState::Finished) = running_threads_.sum(until) - live;
  return cycles;
}

/// The warp's splits are others from the next cycle on: says how long it had those before.
void Core::count_splits(unsigned warp, unsigned without_entry) {
  WarpSplits& splits = splits_[warp];
  const Cycle from = last_cycle_ + 1;
  if (splits.alive && from > splits.since)
    listener_->split({{splits.threads.data(), splits.count}, splits.live, splits.without_buffer, from - splits.since});

  const ResidentBlock& block = blocks_.block_of(warp);
  const WarpId in_block = blocks_.in_block(warp);
  splits.alive = blocks_.is_live(warp);
  splits.since = from;
  splits.count = 0;
  const auto add = [&](SplitId id) {
    splits.threads[splits.count++] = static_cast<std::uint8_t>(block.domain().split(id).lanes.count());
  };
  for (const SplitId id : block.domain().runnable(in_block)) add(id);
  splits.without_buffer = without_entry;
  splits.live = block.domain().live(in_block).count();
  if (!block.any_waiting()) return;
  for (SplitId id = in_block * kMaxWarpSize; id < (in_block + 1) * kMaxWarpSize; ++id)
    if (block.waits(id)) add(id);
}

}  // namespace warpfork::gpu
