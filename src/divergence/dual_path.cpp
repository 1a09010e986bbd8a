#include "divergence/dual_path.h"

#include <algorithm>

#include "base/error.h"

namespace warpfork {

void DualPath::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  slots_ = slots.data();
  launched_ = live_ = lanes;
  depth_ = 0;
  waiting_ = kNoSlot;
  used_slots_ = SlotSet();
  const Path all{entry, lanes};
  if (lanes.any()) push(kNoPc, {&all, 1});
  choose_runnable();
}

bool DualPath::advance(unsigned slot, std::span<const Path> given, Pc reconvergence) {
  const DistinctPaths paths(given, slots_[slot]);
  remove(slots_[slot].lanes - paths.lanes());
  Entry& entry = entry_of(slot);
  Place& own = entry.places[entry.places[0].slot == slot ? 0 : 1];

  const bool is_nested = paths.diverge() && reconvergence != kNoPc && reconvergence != entry.reconvergence_pc;
  const Pc rpc = is_nested ? reconvergence : entry.reconvergence_pc;
  std::array<Path, kMaxWarpSize> sides;
  std::size_t count = 0;
  for (const Path& path : paths.paths())
    if (path.pc != rpc) sides[count++] = path;

  if (!is_nested && count == 1) {
    go_on(own, sides[0]);
  } else {
    vacate(own);
    if (is_nested) own = {rpc, paths.lanes()};
    push(rpc, {sides.data(), count});
  }
  pop_empty();
  choose_runnable();
  return true;
}

void DualPath::go_on(Place& own, const Path& path) {
  WarpSplit& split = slots_[own.slot];
  split.pc = path.pc;
  split.lanes = own.lanes = path.lanes;
}

bool DualPath::wait(unsigned slot) {
  waiting_ = slot;
  return true;
}

bool DualPath::release(unsigned) {
  waiting_ = kNoSlot;
  return true;
}

DualPath::Entry& DualPath::entry_of(unsigned slot) {
  unsigned level = depth_ - 1;
  while (stack_[level].places[0].slot != slot && stack_[level].places[1].slot != slot) --level;
  return stack_[level];
}

void DualPath::remove(ActiveMask exited) {
  if (exited.none()) return;
  live_ -= exited;
  for (unsigned level = 0; level < depth_; ++level)
    for (Place& place : stack_[level].places) place.lanes -= exited;
}

/// More than two sides take several entries, the first two uppermost.
void DualPath::push(Pc reconvergence_pc, std::span<const Path> sides) {
  for (std::size_t pair = (sides.size() + 1) / 2; pair-- > 0;) {
    check(depth_ < kCapacity, [&] { return fmt::format("dual-path stack overflows:\n{}", text_of(tables())); });
    Entry& entry = stack_[depth_++];
    entry = {.reconvergence_pc = reconvergence_pc, .places = {}};
    for (std::size_t i = 2 * pair; i < std::min(2 * pair + 2, sides.size()); ++i)
      entry.places[i % 2] = {sides[i].pc, sides[i].lanes};
  }
}

void DualPath::vacate(Place& place) {
  used_slots_ -= SlotSet::single(place.slot);
  place = {};
}

/// Also below the top, where a forwarded path was the last of its entry.
void DualPath::pop_empty() {
  unsigned kept = 0;
  for (unsigned level = 0; level < depth_; ++level) {
    if (stack_[level].lanes().none()) continue;
    if (kept != level) stack_[kept] = stack_[level];
    ++kept;
  }
  depth_ = kept;
}

void DualPath::choose_runnable() {
  ready_count_ = 0;
  ActiveMask above;
  for (unsigned level = depth_; level-- > 0;) {
    Entry& entry = stack_[level];
    for (Place& place : entry.places) {
      if (place.lanes.none() || place.lanes.intersects(above)) continue;
      if (place.slot == kNoSlot) start(place, entry.reconvergence_pc);
      ready_[ready_count_++] = slots_[place.slot].id;
      if (ready_count_ == limit_) return;
    }
    above |= entry.lanes();
  }
}

void DualPath::start(Place& place, Pc reconvergence_pc) {
  place.slot = used_slots_.lowest_free();
  used_slots_ |= SlotSet::single(place.slot);
  WarpSplit& split = slots_[place.slot];
  split.pc = place.pc;
  split.lanes = place.lanes;
  split.reconvergence_pc = reconvergence_pc;
}

std::vector<StateTable> DualPath::tables() const {
  using enum StateTable::Kind;
  StateTable stack{
      "stack", {{"pc", ProgramCounter}, {"rpc", ProgramCounter}, {"lanes", Mask}, {"", Text}, {"", Text}}, {}, {}};
  ActiveMask above;
  for (unsigned level = depth_; level-- > 0;) {
    const Entry& entry = stack_[level];
    for (unsigned side = 2; side-- > 0;) {
      const Place& place = entry.places[side];
      if (place.lanes.none()) continue;
      const Pc pc = place.slot == kNoSlot ? place.pc : slots_[place.slot].pc;
      stack.rows.push_back({pc_text(pc), pc_text(entry.reconvergence_pc), place.lanes.to_string(mask_width(launched_)),
                            fmt::format("{} {:<5}", level, side == 0 ? "left" : "right"), state(place, above)});
    }
    above |= entry.lanes();
  }
  std::reverse(stack.rows.begin(), stack.rows.end());  // the bottom first
  return {std::move(stack)};
}

const char* DualPath::state(const Place& place, ActiveMask above) const {
  if (place.lanes.intersects(above)) return "diverged";
  if (place.slot == kNoSlot) return "suspended";
  if (place.slot == waiting_) return "waits";
  const auto ids = runnable();
  return std::find(ids.begin(), ids.end(), slots_[place.slot].id) == ids.end() ? "suspended" : "runs";
}

}  // namespace warpfork
