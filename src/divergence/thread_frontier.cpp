#include "divergence/thread_frontier.h"

#include <algorithm>

#include "divergence/distinct_paths.h"
#include "divergence/polling.h"

namespace warpfork {

void ThreadFrontier::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  slots_ = slots.data();
  launched_ = live_ = lanes;
  used_ = waiting_ = made_way_ = SlotSet();
  turns_ = {};
  if (lanes.any()) put(0, entry, lanes);
  choose();
}

bool ThreadFrontier::advance(unsigned slot, std::span<const Path> given, Pc) {
  const WarpSplit split = slots_[slot];
  const DistinctPaths paths(given, split);
  live_ -= split.lanes - paths.lanes();
  used_ -= SlotSet::single(slot);
  const std::uint16_t turns = turns_[slot];
  for (unsigned to = slot; const Path& path : paths.paths()) {
    turns_[to] = turns + begins_polling(order_, path.pc);
    put(to, path.pc, path.lanes);
    take_along(to);
    to = used_.lowest_free();
  }
  choose();
  return true;
}

bool ThreadFrontier::enter_block(unsigned slot, Pc first) {
  slots_[slot].pc = first;
  if (used_ == SlotSet::single(slot)) return false;
  turns_[slot] += begins_polling(order_, first);
  take_along(slot);
  choose();
  return true;
}

bool ThreadFrontier::wait(unsigned slot) {
  waiting_ |= SlotSet::single(slot);
  choose();
  return true;
}

bool ThreadFrontier::release(unsigned slot) {
  waiting_ -= SlotSet::single(slot);
  choose();
  return true;
}

FrontierPlace ThreadFrontier::place(unsigned slot) const {
  const Pc pc = slots_[slot].pc;
  return order_.empty() ? FrontierPlace{pc, 0, 0} : order_[pc];
}

void ThreadFrontier::put(unsigned slot, Pc pc, ActiveMask lanes) {
  used_ |= SlotSet::single(slot);
  slots_[slot].pc = pc;
  slots_[slot].lanes = lanes;
  slots_[slot].reconvergence_pc = kNoPc;
}

bool ThreadFrontier::waits_for_others(unsigned slot, SlotSet others) const {
  const FrontierPlace here = place(slot);
  for (; others.any(); others -= SlotSet::single(others.lowest()))
    if (place(others.lowest()).comes_to(here)) return true;
  return false;
}

/// The lanes of the split that is where this one has come to, if there is one that is not at a barrier.
void ThreadFrontier::take_along(unsigned slot) {
  (used_ - waiting_ - SlotSet::single(slot)).for_each([&](unsigned other) {
    if (slots_[other].pc != slots_[slot].pc) return;
    slots_[slot].lanes |= slots_[other].lanes;
    turns_[slot] = std::max(turns_[slot], turns_[other]);
    used_ -= SlotSet::single(other);
    made_way_ -= SlotSet::single(other);
  });
}

void ThreadFrontier::choose() {
  const SlotSet ready = used_ - waiting_;
  runs_ = ready.any();
  if (!runs_) return;
  const unsigned running = running_ % kSplitsPerWarp;
  const bool is_alone = ready == SlotSet::single(running);
  if (turns_[running] >= kPollingTurns && !is_alone) made_way_ |= SlotSet::single(running);
  if (turns_[running] >= kPollingTurns || is_alone) turns_[running] = 0;
  if ((ready - made_way_).none()) made_way_ = SlotSet();
  const SlotSet candidates = ready - made_way_;
  unsigned first = kSplitsPerWarp;
  candidates.for_each([&](unsigned slot) {
    if (first != kSplitsPerWarp && place(slot).number > place(first).number) return;
    if (!waits_for_others(slot, candidates)) first = slot;
  });
  running_ = slots_[first].id;
}

std::vector<StateTable> ThreadFrontier::tables() const {
  using enum StateTable::Kind;
  StateTable splits{"splits", {{"pc", ProgramCounter}, {"lanes", Mask}, {"", Text}}, {}, {}};
  used_.for_each([&](unsigned slot) {
    const bool runs = runs_ && slots_[slot].id == running_;
    splits.rows.push_back({pc_text(slots_[slot].pc), slots_[slot].lanes.to_string(mask_width(launched_)),
                           waiting_.contains(slot) ? "waits"
                           : runs                  ? "runs"
                                                   : ""});
  });
  return {std::move(splits)};
}

}  // namespace warpfork
