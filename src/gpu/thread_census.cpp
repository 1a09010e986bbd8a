#include "gpu/thread_census.h"

#include <fmt/format.h>

#include <numeric>

#include "base/error.h"

namespace warpfork::gpu {

using report::ThreadState;

void ThreadCensus::begin_kernel(unsigned threads_per_block, unsigned blocks, report::LaunchListener& listener) {
  threads_per_block_ = threads_per_block;
  listener_ = &listener;
  counted_.assign(blocks, {});
  running_ = live_ = waiting_ = {};
  waits_ = {};
}

void ThreadCensus::count_block(unsigned slot) {
  const ResidentBlock& block = blocks_.block(slot);
  const auto change = [&](TimedCount& count, unsigned& before, unsigned now) {
    count.remove(before, buffers_.clock());
    count.add(now, buffers_.clock());
    before = now;
  };
  const unsigned live = block.live_threads();
  change(live_, counted_[slot].live, live);
  change(waiting_, counted_[slot].waiting, block.waiting_threads());
  change(running_, counted_[slot].running, live != 0 ? threads_per_block_ : 0);
}

void ThreadCensus::count_waits(const LaneRoom& room) {
  unsigned ready = 0;  // of which few find a lane: those would have issued
  EntrySet finding;
  for (unsigned port = 0; port < kPorts; ++port) {
    const bool open = room.has(static_cast<Port>(port));
    if (open && room.for_every_warp()) continue;
    ready += buffers_.threads(kReadyStates[port]).count();
    if (open) finding |= buffers_.in(kReadyStates[port]);
  }
  buffers_.of_warps(finding, room.warps()).for_each([&](unsigned entry) { ready -= buffers_[entry].threads; });
  waits_ += ready;
}

report::ThreadCycles ThreadCensus::thread_cycles() const {
  report::ThreadCycles cycles{};
  const Cycle until = buffers_.clock();
  const auto of = [&](ThreadState state) -> Cycle& { return cycles[static_cast<unsigned>(state)]; };
  const auto in = [&](EntryState state) { return buffers_.threads(state).sum(until); };
  for (const EntryState ready : kReadyStates) of(ThreadState::Eligible) += in(ready);
  of(ThreadState::Eligible) -= waits_;
  of(ThreadState::StructuralHazard) = waits_ + in(EntryState::ScoreboardFull) + in(EntryState::TableMiss);
  of(ThreadState::DataHazard) =
      in(EntryState::BlockedRead) + in(EntryState::BlockedRegister) + in(EntryState::BlockedMemory);
  of(ThreadState::EmptyBuffer) = in(EntryState::Empty) + in(EntryState::Redirected);
  of(ThreadState::Barrier) = in(EntryState::Suspended) + waiting_.sum(until);
  const Cycle live = live_.sum(until), elsewhere = std::accumulate(cycles.begin(), cycles.end(), Cycle{0});
  check(elsewhere <= live, [&] {
    return fmt::format("core {} counts {} thread-cycles by state, but {} of live threads", core_, elsewhere, live);
  });
  of(ThreadState::Suspended) = live - elsewhere;
  of(ThreadState::Finished) = running_.sum(until) - live;
  return cycles;
}

void ThreadCensus::report() const {
  const Cycle now = buffers_.clock();
  listener_->threads({now, core_, 0}, thread_cycles());
  for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
    const DivergenceDomain::TableUse use = blocks_.block(slot).domain().table_use();
    listener_->tables_used({now, core_, blocks_.first_warp(slot)}, use.splits, use.reconvergence);
  }
}

void ThreadCensus::tell_splits() {
  blocks_.live().for_each([this](unsigned warp) { tell_splits(warp); });
}

void ThreadCensus::tell_splits(unsigned warp) {
  WarpSplits& splits = splits_[warp];
  const Cycle now = buffers_.clock();
  if (splits.alive && now > splits.since)
    listener_->split({{splits.threads.data(), splits.count},
                      splits.live,
                      splits.without_buffer,
                      now - splits.since,
                      {splits.since, core_, warp}});
  splits.since = now;
}

void ThreadCensus::count_splits(unsigned warp, unsigned without_entry) {
  tell_splits(warp);
  WarpSplits& splits = splits_[warp];
  const ResidentBlock& block = blocks_.block_of(warp);
  const WarpId in_block = blocks_.in_block(warp);
  splits.alive = blocks_.is_live(warp);
  splits.count = 0;
  const auto add = [&](SplitId id) {
    splits.threads[splits.count++] = static_cast<std::uint8_t>(block.domain().split(id).lanes.count());
  };
  for (const SplitId id : block.domain().runnable(in_block)) add(id);
  splits.without_buffer = without_entry;
  splits.live = block.domain().live(in_block).count();
  block.for_each_waiting(in_block, add);
}

}  // namespace warpfork::gpu
