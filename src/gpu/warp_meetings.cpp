#include "gpu/warp_meetings.h"

#include "simt/members.h"

namespace warpfork::gpu {

WarpMeetings::WarpMeetings(const simt::Launch& launch, simt::BlockContext& context, const DivergenceDomain& domain)
    : launch_(launch), context_(context), domain_(domain) {
  start();
}

void WarpMeetings::start() {
  for (std::vector<SlotSet>* const slots : {&waiting_, &meeting_, &have_met_})
    slots->assign(launch_.warps_per_block(), SlotSet());
  waiting_threads_ = 0;
}

WarpMeetings::Outcome WarpMeetings::come(const WarpSplit& split) {
  const unsigned slot = split.id % kSplitsPerWarp;
  const bool all_are_here = split.lanes.contains(named_by(split));
  if (have_met_[split.warp].contains(slot)) {
    have_met_[split.warp].erase(slot);
    const bool is_barrier = launch_.program->function->body[split.pc].has(ptx::Modifier::Warp);
    return is_barrier && !all_are_here ? Outcome::GoesOn : Outcome::Executes;
  }
  if (all_are_here) return Outcome::Executes;
  waiting_[split.warp].insert(slot);
  waiting_threads_ += split.lanes.count();
  meeting_[split.warp] = meeting_of(split.warp, slot);
  return meeting_[split.warp].any() ? Outcome::Meets : Outcome::Waits;
}

/// Threads that have not exited, by those that execute the instruction.
ActiveMask WarpMeetings::named_by(const WarpSplit& split) const {
  ActiveMask named;
  executing(split).for_each([&](unsigned lane) { named |= named_by(split, lane); });
  return named;
}

ActiveMask WarpMeetings::named_by(const WarpSplit& split, unsigned lane) const {
  const simt::WarpContext& warp = context_.warp(split.warp);
  return simt::of_row(simt::members_of(instruction_of(split), warp, lane) & warp.live, 0);
}

ActiveMask WarpMeetings::executing(const WarpSplit& split) const {
  return simt::of_row(simt::guarded(instruction_of(split), context_.warp(split.warp), simt::in_row(split.lanes, 0)), 0);
}

/// Splits that wait with threads that the lane of this one names, and name the same at an instruction like its own;
/// with the split itself. None if a thread is missing.
SlotSet WarpMeetings::met_by(const WarpSplit& split, unsigned lane) const {
  const ActiveMask named = named_by(split, lane);
  ActiveMask missing = named - split.lanes;
  SlotSet met;
  waiting_[split.warp].for_each([&](unsigned slot) {
    const WarpSplit& other = this->split(split.warp, slot);
    if (!missing.intersects(other.lanes) || instruction_of(other).handler != instruction_of(split).handler) return;
    const bool names_others =
        (executing(other) & named).any_of([&](unsigned member) { return named_by(other, member) != named; });
    if (names_others) return;
    missing -= executing(other);
    met.insert(slot);
  });
  return missing.any() ? SlotSet() : met | SlotSet::single(split.id % kSplitsPerWarp);
}

/// All that wait for one another, if nobody else is missing.
SlotSet WarpMeetings::meeting_of(WarpId warp, unsigned slot) const {
  SlotSet meeting = SlotSet::single(slot);
  for (SlotSet to_ask = meeting; to_ask.any(); to_ask.erase(to_ask.lowest())) {
    const WarpSplit& asked = split(warp, to_ask.lowest());
    const bool is_missed = executing(asked).any_of([&](unsigned lane) {
      const SlotSet met = met_by(asked, lane);
      to_ask |= met - meeting;
      meeting |= met;
      return met.none();
    });
    if (is_missed) return {};
  }
  return meeting;
}

SlotSet WarpMeetings::take_met(WarpId warp) {
  SlotSet& meeting = meeting_[warp];
  for (SlotSet to_ask = waiting_[warp]; to_ask.any() && meeting.none(); to_ask.erase(to_ask.lowest()))
    meeting = meeting_of(warp, to_ask.lowest());
  if (meeting.none()) return {};
  const Pc place = split(warp, meeting.lowest()).pc;
  SlotSet here;
  meeting.for_each([&](unsigned slot) {
    if (split(warp, slot).pc == place) here.insert(slot);
  });
  meeting -= here;
  waiting_[warp] -= here;
  here.for_each([&](unsigned slot) { waiting_threads_ -= split(warp, slot).lanes.count(); });
  have_met_[warp].insert(here.lowest());
  return here;
}

}  // namespace warpfork::gpu
