#include "divergence/split_table.h"

#include <algorithm>

namespace warpfork {

void SplitTable::launch(SplitSlots slots, unsigned max_splits) {
  slots_ = slots.data();
  used_ = SlotSet();
  ready_count_ = 0;
  limit_ = max_splits == 0 ? kSplitsPerWarp : max_splits;
}

void SplitTable::insert(Place place, Pc pc, Pc block, ActiveMask lanes, Pc reconvergence_pc, ReconvergenceIndex entry) {
  WarpSplit& split = slots_[place.slot];
  split.pc = pc;
  split.lanes = lanes;
  split.reconvergence_pc = reconvergence_pc;
  used_ |= SlotSet::single(place.slot);
  most_used_ = std::max(most_used_, used_.count());
  entry_[place.slot] = entry;
  block_[place.slot] = block;
  const unsigned position = std::min(place.position, ready_count_);
  std::copy_backward(&ready_[position], &ready_[ready_count_], &ready_[ready_count_] + 1);
  ready_[position] = split.id;
  ++ready_count_;
}

SplitTable::Place SplitTable::erase(unsigned slot) {
  const unsigned position = position_of(slot);
  take_from_ready(position);
  used_ -= SlotSet::single(slot);
  return {slot, position};
}

void SplitTable::redirect(unsigned slot, Pc reconvergence_pc, ReconvergenceIndex entry) {
  slots_[slot].reconvergence_pc = reconvergence_pc;
  entry_[slot] = entry;
}

void SplitTable::wait(unsigned slot) { take_from_ready(position_of(slot)); }

void SplitTable::release(unsigned slot) { ready_[ready_count_++] = slots_[slot].id; }

SlotSet SplitTable::ready() const {
  SlotSet ready;
  for (unsigned position = 0; position < ready_count_; ++position) ready.insert(ready_[position] % kSplitsPerWarp);
  return ready;
}

unsigned SplitTable::position_of(unsigned slot) const {
  return static_cast<unsigned>(std::find(ready_.begin(), ready_.begin() + ready_count_, slots_[slot].id) -
                               ready_.begin());
}

void SplitTable::take_from_ready(unsigned position) {
  if (position == ready_count_) return;
  std::copy(&ready_[position] + 1, &ready_[ready_count_], &ready_[position]);
  --ready_count_;
}

StateTable SplitTable::table(unsigned width) const {
  using enum StateTable::Kind;
  StateTable table{"ST", {{"pc", ProgramCounter}, {"rpc", ProgramCounter}, {"lanes", Mask}, {"", Text}}, {}, {}};
  used_.for_each([&](unsigned slot) {
    const unsigned position = position_of(slot);
    const char* state = position == ready_count_ ? "waits" : position >= limit_ ? "queued" : "";
    table.rows.push_back(
        {pc_text(slots_[slot].pc), pc_text(slots_[slot].reconvergence_pc), slots_[slot].lanes.to_string(width), state});
  });
  return table;
}

}  // namespace warpfork
