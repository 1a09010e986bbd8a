#include "gpu/block_barriers.h"

#include <fmt/format.h>

#include <bit>

#include "base/text.h"
#include "simt/execution_error.h"

namespace warpfork::gpu {

using simt::BarrierForm;
using simt::Instruction;

namespace {

std::string threads_text(unsigned threads) {
  return threads == 0 ? "all threads of the block" : counted(threads, "thread");
}

}  // namespace

BlockBarriers::BlockBarriers(const simt::Launch& launch, simt::BlockContext& context, const DivergenceDomain& domain)
    : launch_(launch),
      context_(context),
      domain_(domain),
      warps_(launch.warps_per_block()),
      waits_(warps_ * kSplitsPerWarp),
      waiting_slots_(warps_) {
  for (Barrier& barrier : barriers_) barrier.arrived.resize(warps_);
}

void BlockBarriers::start() {
  // Only those at which nobody waited can be left of the block before.
  for (; in_use_ != 0; in_use_ &= in_use_ - 1) open(barriers_[static_cast<unsigned>(std::countr_zero(in_use_))]);
}

void BlockBarriers::come(const Instruction& instruction, SplitId split, HomeLanes home) {
  const Arrival arrival = arrival_of(instruction, home);
  Barrier& barrier = barriers_[arrival.number];
  if (barrier.came == 0) barrier.threads = arrival.threads;
  if (barrier.threads != arrival.threads)
    fail(instruction, home, home.lanes.lowest(),
         fmt::format("barrier {} waits for {} here, for {} where others have come to it", arrival.number,
                     threads_text(arrival.threads), threads_text(barrier.threads)),
         "all that meet at a barrier must name the same number of threads");
  if (const ActiveMask again = barrier.arrived[home.warp] & home.lanes; again.any())
    fail(instruction, home, again.lowest(),
         fmt::format("the thread has come to barrier {} already, and the barrier has not opened since", arrival.number),
         "after bar.arrive the barrier must open before the thread may come to it again");
  barrier.arrived[home.warp] |= home.lanes;
  barrier.came += home.lanes.count();
  in_use_ |= 1u << arrival.number;
  if (simt::is_reduction(instruction)) {
    barrier.voters += home.lanes.count();
    barrier.yes += arrival.yes;
  }
  if (instruction.barrier_form == BarrierForm::Arrive) return;
  barrier.waiting.push_back({&instruction, split, home});
  ++waits_[split];
  waiting_slots_[split / kSplitsPerWarp] |= SlotSet::single(split % kSplitsPerWarp);
  waiting_threads_ += home.lanes.count();
}

BlockBarriers::Arrival BlockBarriers::arrival_of(const Instruction& instruction, HomeLanes home) const {
  Arrival all;
  unsigned rows = 0;
  simt::for_each_row(home.lanes, [&](unsigned row, simt::RowLanes lanes) {
    const simt::BarrierArrival one = simt::arrival_of(instruction, context_.warp(home.warp, row), lanes);
    if (rows++ == 0) all = {one.number, one.threads, 0};
    if (one.number != all.number || one.threads != all.threads)
      simt::fail(instruction, context_.warp(home.warp, row), lanes.lowest(),
                 fmt::format("barrier {} for {} here, barrier {} for {} in another thread of its warp", one.number,
                             threads_text(one.threads), all.number, threads_text(all.threads)),
                 "the threads of a warp must come to the same barrier with the same number of threads");
    all.yes += one.yes.count();
  });
  return all;
}

void BlockBarriers::fail(const Instruction& instruction, HomeLanes home, unsigned lane, std::string_view cause,
                         std::string_view remedy) const {
  simt::fail(instruction, context_.warp(home.warp, lane / simt::kRowLanes), lane % simt::kRowLanes, cause, remedy);
}

void BlockBarriers::open(unsigned live_threads) {
  for (std::uint32_t rest = in_use_; rest != 0; rest &= rest - 1) {
    Barrier& barrier = barriers_[static_cast<unsigned>(std::countr_zero(rest))];
    if (!is_full(barrier, live_threads)) continue;
    in_use_ &= ~(rest & -rest);
    open(barrier);
  }
}

bool BlockBarriers::is_full(const Barrier& barrier, unsigned live_threads) const {
  const unsigned expected = barrier.threads == 0 ? lanes_in_block() : barrier.threads;
  const unsigned gone = lanes_in_block() - live_threads;
  if (barrier.came + gone < expected) return false;
  unsigned come = 0;
  for (WarpId warp = 0; warp < warps_; ++warp) {
    const ActiveMask arrived = barrier.arrived[warp];
    if (arrived.none() && barrier.threads != 0) continue;
    come += (arrived | (ActiveMask::first(launch_.warp_size) - domain_.live(warp))).count();
  }
  return come >= expected;
}

void BlockBarriers::open(Barrier& barrier) {
  for (const Waiting& waiting : barrier.waiting) {
    if (simt::is_reduction(*waiting.instruction))
      simt::for_each_row(waiting.home.lanes, [&](unsigned row, simt::RowLanes lanes) {
        simt::write_reduction(*waiting.instruction, context_.warp(waiting.home.warp, row), lanes, barrier.yes,
                              barrier.voters);
      });
    waiting_threads_ -= waiting.home.lanes.count();
    if (--waits_[waiting.split] != 0) continue;
    waiting_slots_[waiting.split / kSplitsPerWarp] -= SlotSet::single(waiting.split % kSplitsPerWarp);
    released_.push_back(waiting.split);
  }
  barrier.waiting.clear();
  barrier.arrived.assign(warps_, ActiveMask());
  barrier.came = barrier.voters = barrier.yes = 0;
}

bool BlockBarriers::take_released(SplitId& split) {
  if (taken_ == released_.size()) {
    released_.clear();
    taken_ = 0;
    return false;
  }
  split = released_[taken_++];
  return true;
}

std::string BlockBarriers::describe() const {
  std::string text;
  for (std::uint32_t rest = in_use_; rest != 0; rest &= rest - 1) {
    const unsigned number = static_cast<unsigned>(std::countr_zero(rest));
    const Barrier& barrier = barriers_[number];
    text += fmt::format("  barrier {}: {} come, it waits for {}\n", number,
                        barrier.came == 1 ? "1 thread has" : fmt::format("{} threads have", barrier.came),
                        threads_text(barrier.threads));
  }
  return text;
}

}  // namespace warpfork::gpu
